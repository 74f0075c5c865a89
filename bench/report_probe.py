"""Runs in a fresh interpreter: the report of the PyPI package resource-tracker on a snapshot.

usage: report_probe.py SNAPSHOT PAGE
"""
import sys

import resource_tracker.tracker

SERVER = {"vendor_id": "some", "api_reference": "server", "display_name": "server", "name": "server",
          "vcpus": 8, "memory_amount": 32768, "gpu_count": 1, "gpu_memory_min": 24576, "gpu_memory_total": 24576,
          "storage_size": 100, "min_price_ondemand": 1.0, "min_price": 1.0}

# It asks a service on the Internet for these: here the answer is there already.
resource_tracker.tracker.get_recommended_cloud_servers = lambda **wanted: [dict(SERVER)]
resource_tracker.tracker.get_instance_price = lambda *server: 1.0

resource_tracker.ResourceTracker.load(sys.argv[1]).report().save(sys.argv[2])
