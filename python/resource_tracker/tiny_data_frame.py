"""A small table in plain Python: named columns, each of them a list."""

from __future__ import annotations

import operator
from collections import namedtuple

TYPE_CHECKING = False  # as in typing, which takes its time to load
if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any, Protocol, Union, overload

    Path = Union[str, os.PathLike[str]]
    _Dict = dict[str, Any]
    # Another name for a column: the column, and how many of the name's unit one of its unit is.
    Twins = dict[str, tuple[str, float]]

    class Rows(Protocol):
        """Rows that somebody else holds, and of which a part can be had: see _gput.Rows."""
        def __len__(self) -> int: ...
        def column(self, index: int, first: int = ..., last: int = ..., /) -> list[Any]: ...

else:
    _Dict = dict

__all__ = ["StatSpec", "TinyDataFrame"]

PRINTED_ROWS = 10
URL_TIMEOUT = 30.0  # seconds


class StatSpec(namedtuple("StatSpec", "column agg agg_name round", defaults=(None, None))):
    """A figure to be taken of a column.

    :ivar column: The name of the column.
    :ivar agg: A function of a list: ``max``, ``statistics.mean`` ...
    :ivar agg_name: What the figure is called; as the function if None.
    :ivar round: How many decimals are kept; all if None.
    """
    __slots__ = ()

    @property
    def name(self) -> str:
        """What the figure is called."""
        return str(self.agg_name or getattr(self.agg, "__name__", self.agg))


class TinyDataFrame:
    """A table.

        >>> df = TinyDataFrame({"name": ["a", "b", "c"], "size": [1, 20, 300]})
        >>> df["size"]
        [1, 20, 300]
        >>> df[1]
        {'name': 'b', 'size': 20}
        >>> print(df[1:][["size", "name"]])
        TinyDataFrame with 2 rows and 2 columns:
        size | name
        -----+-----
          20 | b
         300 | c

    :ivar columns: The names of the columns.
    """

    columns: list[str]
    _twins: Twins = {}

    def __init__(self, data: dict[str, Any] | list[dict[str, Any]] | None = None,
                 csv_file_path: Path | None = None, retries: int = 0,
                 retry_delay: float = 0.1) -> None:
        """
        :param data: A dictionary of columns, or a list of dictionaries, one for each row.
        :param csv_file_path: In its place, a CSV file, or the http(s) address of one.
        :param retries: How many more times a file is tried if it cannot be read.
        :param retry_delay: Seconds before it is tried again, twice as many each further time.
        :raises RuntimeError: The file cannot be read.
        """
        if (data is None) == (csv_file_path is None):
            raise ValueError("one of data and csv_file_path is needed")
        self._vectors: list[Any] = []  # lists, or what is not yet read
        if csv_file_path is not None:
            self.columns, self._vectors = _read_csv(csv_file_path, retries, retry_delay)
        elif isinstance(data, dict):
            self.columns, self._vectors = list(data), _checked(data)
        elif isinstance(data, list) and all(isinstance(row, dict) for row in data):
            self.columns = list(dict.fromkeys(name for row in data for name in row))
            self._vectors = [[row.get(name) for row in data] for name in self.columns]
        else:
            raise TypeError("data: a dictionary of columns or a list of rows is needed, not "
                            + type(data).__name__)

    @classmethod
    def over(cls, rows: Rows, columns: Iterable[str],
             twins: Twins | None = None) -> TinyDataFrame:
        """A table over rows that somebody else holds. A column becomes a list when it is first
        looked at."""
        names, all_rows = list(columns), range(len(rows))
        return cls._of(names, [_Unread(rows, place, all_rows) for place in range(len(names))],
                       twins)

    @classmethod
    def _of(cls, columns: list[str], vectors: list[Any],
            twins: Twins | None = None) -> TinyDataFrame:
        frame = cls.__new__(cls)
        frame.columns, frame._vectors, frame._twins = columns, vectors, twins or {}
        return frame

    # --- columns and rows -------------------------------------------------------------------------

    @property
    def _data(self) -> list[Any]:
        """The columns, a list each."""
        for place in range(len(self._vectors)):
            self._read(place)
        return self._vectors

    @_data.setter
    def _data(self, vectors: list[Any]) -> None:
        self._vectors = vectors

    def _read(self, place: int) -> Any:
        if isinstance(self._vectors[place], _Unread):
            self._vectors[place] = self._vectors[place].read()
        return self._vectors[place]

    def _vector(self, name: str) -> Any:
        """A column, perhaps not yet read, by either of its names."""
        if name in self.columns or name not in self._twins:
            return self._vectors[self._place(name)]
        column, factor = self._twins[name]
        return [_times(one, factor) for one in self[column]]

    def _row(self, values: Iterable[Any]) -> dict[str, Any]:
        row = zip(self.columns, values)
        return NamedTwice(row, self._twins) if self._twins else dict(row)

    def _place(self, name: str) -> int:
        try:
            return self.columns.index(name)
        except ValueError:
            raise KeyError(f"there is no column {name!r}") from None

    def __len__(self) -> int:
        """How many rows there are."""
        return len(self._vectors[0]) if self._vectors else 0

    if TYPE_CHECKING:
        @overload
        def __getitem__(self, key: str) -> Any: ...
        @overload
        def __getitem__(self, key: list[str] | slice) -> TinyDataFrame: ...
        @overload
        def __getitem__(self, key: int) -> dict[str, Any]: ...

    def __getitem__(self, key: Any) -> Any:
        """A column by its name, some columns by a list of names, a row by its number as a
        dictionary, some rows by a slice."""
        if isinstance(key, str):
            return self._read(self._place(key)) if key in self.columns else self._vector(key)
        if isinstance(key, slice):
            return self._of(list(self.columns), [vector[key] for vector in self._vectors],
                            self._twins)
        if isinstance(key, list):
            return self._of(list(key), [self._vector(name) for name in key], self._twins)
        try:
            row = range(len(self))[operator.index(key)]
        except TypeError:
            raise TypeError("a name, a list of names, a number or a slice is needed, not "
                            + type(key).__name__) from None
        except IndexError:
            raise IndexError(f"there is no row {key}: there are {len(self)}") from None
        return self._row(vector[row] for vector in self._vectors)

    def __setitem__(self, key: str, value: Sequence[Any]) -> None:
        """Replaces a column, or adds one."""
        if not isinstance(key, str):
            raise TypeError(f"a name is needed, not {type(key).__name__}")
        if self._vectors and len(value) != len(self):
            raise ValueError(f"column {key!r} has {len(value)} values for {len(self)} rows")
        if key in self.columns:
            self._vectors[self._place(key)] = value
        else:
            self.columns.append(key)
            self._vectors.append(value)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """The rows, as dictionaries."""
        return map(self._row, zip(*self._data))

    def head(self, n: int = 5) -> TinyDataFrame:
        """The first rows."""
        return self[:n]

    def tail(self, n: int = 5) -> TinyDataFrame:
        """The last rows."""
        return self[max(len(self) - n, 0):]

    def rename(self, columns: dict[str, str]) -> TinyDataFrame:
        """Gives columns other names, in this table, which is also returned.

        :param columns: The new names by the old ones.
        """
        for name in columns:
            self._place(name)
        self.columns = [columns.get(name, name) for name in self.columns]
        return self

    # --- figures and text -------------------------------------------------------------------------

    def stats(self, specs: Iterable[StatSpec]) -> dict[str, dict[str, Any]]:
        """Figures of columns: ``{column: {name of the figure: value}}``.

        Values that are not known (None) are left out, and figures of columns without any value. So
        is, with a warning, a figure that cannot be taken.
        """
        figures: dict[str, dict[str, Any]] = {}
        for spec in specs:
            try:
                values = [one for one in self[spec.column] if one is not None]
                if not values:
                    continue
                value = spec.agg(values)
                if spec.round is not None:
                    value = round(value, spec.round)
            except Exception as error:
                from _gput_shared import warn

                warn("resource_tracker", f"no {spec.name} of {spec.column}: {error}")
                continue
            figures.setdefault(spec.column, {})[spec.name] = value
        return figures

    def to_dict(self) -> list[dict[str, Any]]:
        """The rows, a dictionary each."""
        return list(self)

    def to_csv(self, csv_file_path: Path | None = None, quote_strings: bool = True) -> str | None:
        """The table as CSV: in a file, or as text if none is named.

        :param quote_strings: Whether all text stands in quotes, or only where it is needed.
        """
        import csv
        import io

        import _gput

        text = io.StringIO(newline="")
        writer = csv.writer(text, quoting=csv.QUOTE_NONNUMERIC if quote_strings else
                            csv.QUOTE_MINIMAL)
        writer.writerow(self.columns)
        writer.writerows(zip(*self._data))
        if csv_file_path is None:
            return text.getvalue()
        with open(_gput.open_file(csv_file_path), "w", newline="", encoding="utf-8") as file:
            file.write(text.getvalue())
        return None

    def __repr__(self) -> str:
        first = f" First row as a dict: {self[0]}" if len(self) else ""
        return f"TinyDataFrame with {len(self)} rows and {len(self.columns)} columns.{first}"

    def __str__(self) -> str:
        """The first rows, in columns: numbers to the right, text to the left."""
        head = f"TinyDataFrame with {len(self)} rows and {len(self.columns)} columns:\n"
        if not len(self):
            return head + "Empty dataframe"
        printed = [_aligned(name, vector) for name, vector
                   in zip(self.columns, self.head(PRINTED_ROWS)._data)]
        lines = [" | ".join(cells).rstrip() for cells in zip(*printed)]
        lines.insert(1, "-+-".join("-" * len(cells[0]) for cells in printed))
        if len(self) > PRINTED_ROWS:
            lines.append("...")
        return head + "\n".join(lines)

    def _repr_html_(self) -> str:
        """In a notebook: the first rows."""
        from _gput_shared.notebook import table

        rows: list[Any] = [row.values() for row in self.head(PRINTED_ROWS)]
        if len(self) > PRINTED_ROWS:
            rows.append(["..."] * len(self.columns))
        return table(f"{len(self)} rows and {len(self.columns)} columns", self.columns, rows)


class NamedTwice(_Dict):
    """Values, or figures, of columns, which answer to the other names of these columns too."""
    __slots__ = ("_twins",)

    def __init__(self, items: Iterable[tuple[str, Any]], twins: Twins) -> None:
        super().__init__(items)
        self._twins = twins

    def __missing__(self, name: str) -> Any:
        column, factor = self._twins[name]
        return _times(self[column], factor)

    def __contains__(self, name: object) -> bool:
        return super().__contains__(name) or (
            name in self._twins and super().__contains__(self._twins[str(name)][0]))

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if name in self else default

    def __reduce__(self) -> Any:
        return dict, (dict(self),)


def _times(value: Any, factor: float) -> Any:
    if isinstance(value, dict):
        return {name: _times(one, factor) for name, one in value.items()}
    return value if value is None or factor == 1 else value * factor


class _Unread:
    """A column of a table, or a part of it, that nobody has looked at."""
    __slots__ = ("_rows", "_column", "_part")

    def __init__(self, rows: Rows, column: int, part: range) -> None:
        self._rows, self._column, self._part = rows, column, part

    def __len__(self) -> int:
        return len(self._part)

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return _Unread(self._rows, self._column, self._part[key])
        row = self._part[key]
        return self._rows.column(self._column, row, row + 1)[0]

    def read(self) -> list[Any]:
        if not self._part:
            return []
        first, last = sorted((self._part[0], self._part[-1]))
        return self._rows.column(self._column, first, last + 1)[::self._part.step]


def _checked(data: dict[str, Any]) -> list[Any]:
    """The columns of a dictionary; all must be of one length."""
    try:
        lengths = {name: len(vector) for name, vector in data.items()}
    except TypeError:
        raise TypeError("data: each column must be a list") from None
    if len(set(lengths.values())) > 1:
        raise ValueError(f"data: the columns differ in length: {lengths}")
    return list(data.values())


def _aligned(name: str, vector: Sequence[Any]) -> list[str]:
    """A column's name and values as text of one width."""
    width = max(len(str(one)) for one in (name, *vector))
    return [str(name).ljust(width)] + [
        str(one).ljust(width) if isinstance(one, str) else str(one).rjust(width) for one in vector]


# --- reading CSV ----------------------------------------------------------------------------------

def _read_csv(path: Path, retries: int, delay: float) -> tuple[list[str], list[list[Any]]]:
    import csv
    import time

    for left in range(max(retries, 0), -1, -1):
        try:
            return _columns_of_csv(_text_of(path))
        except (OSError, ValueError, csv.Error) as error:
            if not left:
                raise RuntimeError(f"{path}: cannot be read as CSV: {error}") from error
            time.sleep(delay)
            delay *= 2
    raise AssertionError("not reached")


def _text_of(path: Path) -> str:
    if isinstance(path, str) and path.startswith(("http://", "https://")):
        from urllib.request import urlopen

        with urlopen(path, timeout=URL_TIMEOUT) as answer:
            content: bytes = answer.read()
    else:
        with open(path, "rb") as file:
            content = file.read()
    return content.decode("utf-8-sig")


def _columns_of_csv(text: str) -> tuple[list[str], list[list[Any]]]:
    import csv
    import io

    lines = [line for line in csv.reader(io.StringIO(text, newline="")) if line]
    if not lines:
        return [], []
    names, rows = lines[0], lines[1:]
    for number, row in enumerate(rows, 1):
        if len(row) != len(names):
            raise ValueError(f"row {number} has {len(row)} values for {len(names)} columns")
    return names, [[_value_of(row[place]) for row in rows] for place in range(len(names))]


def _value_of(cell: str) -> Any:
    """The number in a cell, else its text, and None where it is empty."""
    if "_" not in cell:  # Python takes 1_000 for a number
        for kind in int, float:
            try:
                return kind(cell)
            except ValueError:
                pass
    return cell or None
