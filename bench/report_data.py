"""The files of a long run, as the trackers write them: a tracking file and a snapshot."""
import gzip
import json
import random

import analysis

STATICS = ["gigabytes", "gigabytes", "hours", 540.0, 150.754820096, 64, 64, 1, 1]
START = 1.7e9
EPOCH = 600  # records of a training step that begins anew
CORES = 64


def gigabytes(share, of):
    """Memory comes in pages."""
    return int(share * of * 1e9 / 4096) * 4096 / 1e9


class Job:
    """A training on one GPU: load, train, evaluate, with noise, so that no two records are alike."""

    def __init__(self):
        self.rng = random.Random(1)
        self.level = 0.3

    def moments(self, n):
        for i in range(n):
            phase = i % EPOCH / EPOCH
            self.level += (self.rng.random() - 0.5) / 100
            self.level = min(max(self.level, 0.1), 0.9)
            busy = 0.1 if phase < 0.15 else 0.8
            yield i, self.level, busy * (0.8 + 0.2 * self.rng.random()), self.rng.random()


def records(n):
    """One a second, in the columns of a tracking file."""
    for i, level, busy, noise in Job().moments(n):
        main, rest = gigabytes(level, 16), gigabytes(0.2 + noise / 50, 64)
        system, cpu, children = 100 * (4 + 8 * noise), 100 * level, 100 * (2 + 6 * noise)
        on_gpu = gigabytes(0.5 + busy / 4, 150)
        yield [main, rest, main + rest, main + rest + 12.5, on_gpu, 0.0, on_gpu, on_gpu + 0.5,
               float(int(100 * busy)), float(int(100 * busy)), 1 + i % 7, 12 + i % 5, 13 + i % 7 + i % 5,
               system, system / CORES, cpu, cpu / CORES, children, children / CORES, cpu + children,
               (cpu + children) / CORES, START + i + noise / 1000]


def of_process(i, level, busy, noise):
    cpu = level + 2 + 6 * noise
    return {"timestamp": START + i, "pid": 4711, "children": 4 + i % 5, "utime": round(cpu * 0.9, 6),
            "stime": round(cpu * 0.1, 6), "cpu_usage": round(cpu, 4), "memory_mib": round(16000 * level, 4),
            "disk_read_bytes": int(1e8 * noise), "disk_write_bytes": int(1e7 * busy), "gpu_usage": round(busy, 4),
            "gpu_vram_mib": round(90000 + 20000 * busy, 4), "gpu_utilized": 1}


def of_system(i, level, busy, noise):
    cpu = level + 4 + 8 * noise
    return {"timestamp": START + i, "processes": 300 + i % 9, "utime": round(cpu * 0.9, 6),
            "stime": round(cpu * 0.1, 6), "cpu_usage": round(cpu, 4), "memory_free_mib": round(300000 - 16000 * level, 4),
            "memory_used_mib": round(100000 + 16000 * level, 4), "memory_buffers_mib": round(900 + noise, 4),
            "memory_cached_mib": round(90000 + 100 * noise, 4), "memory_active_mib": round(80000 + 300 * noise, 4),
            "memory_inactive_mib": round(40000 + 200 * noise, 4), "disk_read_bytes": int(1.1e8 * noise),
            "disk_write_bytes": int(1.2e7 * busy), "disk_space_total_gb": 2000.5,
            "disk_space_used_gb": round(700 + i / 1e5, 2), "disk_space_free_gb": round(1300.5 - i / 1e5, 2),
            "net_recv_bytes": int(3e7 * noise), "net_sent_bytes": int(2e6 * level), "gpu_usage": round(busy, 4),
            "gpu_vram_mib": round(90500 + 20000 * busy, 4), "gpu_utilized": 1}


def about(n):
    """What a snapshot says before its rows."""
    return {"metadata": {"version": 1, "resource_tracker": {"version": "0.5.0", "implementation": "procfs"},
                         "pid": 4711, "children": True, "interval": 1, "method": None, "autostart": False,
                         "track_processes": True, "track_system": True, "discover_server": True,
                         "discover_cloud": True, "start_time": START, "stop_time": START + n, "duration": n + 1.0},
            "server_info": {"os": "Linux", "vcpus": CORES, "memory_mb": 515000.0, "gpu_count": 1,
                            "gpu_names": ["NVIDIA H200"], "gpu_memory_mb": 143771.0},
            "cloud_info": {"vendor": "unknown", "instance_type": "unknown", "region": "unknown",
                           "discovery_time": 0.1}}


def write_tracking_files(stem, n):
    rows = list(records(n))
    analysis.write_csv(stem + ".csv", (analysis.STATIC, [STATICS]), (analysis.COLUMNS, rows))
    analysis.write_sqlite(stem + ".sqlite", data=(analysis.COLUMNS, rows),
                          static_data=(analysis.STATIC, [STATICS]))


def write_snapshot(path, n):
    """As the other package dumps it, and reads it again; the rows are not held."""
    with gzip.open(path, "wt", compresslevel=1) as file:
        file.write(json.dumps(about(n))[:-1])
        for name, row_of in ("process_metrics", of_process), ("system_metrics", of_system):
            file.write(', "%s": [' % name)
            for moment in Job().moments(n):
                file.write((", " if moment[0] else "") + json.dumps(row_of(*moment)))
            file.write("]")
        file.write("}")
