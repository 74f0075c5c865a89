"""track_files.py - tracking and sub-tracking files as tests write them: columns, CSV, SQLite."""

import csv
import sqlite3

STATIC = ["ram_unit", "gpu_ram_unit", "time_unit", "ram_system_capacity", "gpu_ram_system_capacity",
          "system_core_count", "n_expected_cores", "system_gpu_count", "n_expected_gpus"]
COLUMNS = (["main_ram", "descendants_ram", "combined_ram", "system_ram", "main_gpu_ram", "descendants_gpu_ram",
            "combined_gpu_ram", "system_gpu_ram", "gpu_sum_utilization_percent",
            "gpu_hardware_utilization_percent", "main_n_threads", "descendants_n_threads", "combined_n_threads"]
           + ["cpu_%s_%s_utilization_percent" % (who, what)
              for who in ("system", "main", "descendants", "combined") for what in ("sum", "hardware")]
           + ["timestamp"])
MARKS = ["process_id", "code_block_name", "position", "timestamp"]


def write_csv(path, *tables):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        for columns, rows in tables:
            writer.writerow(columns)
            writer.writerows(rows)


def write_sqlite(path, **tables):
    db = sqlite3.connect(path)
    for name, (columns, rows) in tables.items():
        db.execute(f"CREATE TABLE {name} ({', '.join(columns)})")
        db.executemany(f"INSERT INTO {name} VALUES ({','.join('?' * len(columns))})", rows)
    db.commit()
    db.close()
