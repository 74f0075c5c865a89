/* csv.c - the tracking file as CSV: a block of static data, then one row per record. */
#include "store/records/csv.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/text/dtoa.h"
#include "gput.h"

/* One write, so that a reader or a kill sees a whole row or none of it. */
static int hand_over(int fd, struct gput__buf *row)
{
    int r = row->err;

    if (r == 0) {
        ssize_t n;

        do
            n = write(fd, row->data, row->len);
        while (n < 0 && errno == EINTR);
        r = n < 0 ? -errno : (size_t)n < row->len ? -ENOSPC : 0;
    }
    gput__buf_free(row);
    return r;
}

static void write_double(struct gput__buf *row, double value)
{
    char text[32];

    gput__dtoa(value, text);
    gput__buf_puts(row, text);
}

static void write_number(struct gput__buf *row, double value, bool is_count)
{
    if (is_count)
        gput__buf_printf(row, "%.0f", value);
    else
        write_double(row, value);
}

/* Behind column i of n: the comma or the end of the line, as Python's csv writes it. */
static void write_separator(struct gput__buf *row, size_t i, size_t n)
{
    gput__buf_puts(row, i + 1 < n ? "," : "\r\n");
}

static void write_static_data(struct gput__buf *row, const struct gput__static_data *d)
{
    struct gput__static_value values[GPUT__N_STATIC_COLUMNS];

    gput__static_values(d, values);
    for (size_t i = 0; i < GPUT__N_STATIC_COLUMNS; i++) {
        gput__buf_puts(row, values[i].name);
        write_separator(row, i, GPUT__N_STATIC_COLUMNS);
    }
    for (size_t i = 0; i < GPUT__N_STATIC_COLUMNS; i++) {
        if (values[i].text)
            gput__buf_puts(row, values[i].text);
        else
            write_number(row, values[i].number, values[i].is_count);
        write_separator(row, i, GPUT__N_STATIC_COLUMNS);
    }
}

static void write_header(struct gput__buf *row, const struct gput__record_columns *columns)
{
    for (size_t i = 0; i < columns->n; i++) {
        gput__buf_puts(row, columns->column[i].name);
        write_separator(row, i, columns->n);
    }
}

int gput__csv_open(struct gput__csv *csv, const char *path, bool overwrite)
{
    int flags = O_WRONLY | O_APPEND | O_CLOEXEC;
    int fd = open(path, flags | O_CREAT | O_EXCL, 0666);
    bool is_new = fd >= 0;

    if (fd < 0)
        fd = errno == EEXIST && overwrite ? gput_file_open(path, flags) : -errno;
    if (fd < 0)
        return fd;
    *csv = (struct gput__csv){ .fd = fd, .is_new = is_new };
    return 0;
}

int gput__csv_begin(struct gput__csv *csv, const struct gput__static_data *data,
                    const struct gput__record_columns *columns)
{
    struct gput__buf head = { 0 };

    csv->has_head = true;
    write_static_data(&head, data);
    write_header(&head, columns);
    if (!csv->is_new && ftruncate(csv->fd, 0) < 0 && errno != EINVAL) /* EINVAL: a pipe or device */
        head.err = -errno;
    return hand_over(csv->fd, &head);
}

int gput__csv_write(struct gput__csv *csv, const struct gput__record_columns *columns,
                    const double *values)
{
    struct gput__buf row = { 0 };

    for (size_t i = 0; i < columns->n; i++) {
        if (!isnan(values[i])) /* an empty cell is unknown */
            write_number(&row, values[i], columns->column[i].is_count);
        write_separator(&row, i, columns->n);
    }
    return hand_over(csv->fd, &row);
}

void gput__csv_close(struct gput__csv *csv)
{
    if (csv->fd >= 0)
        close(csv->fd);
    csv->fd = -1;
}
