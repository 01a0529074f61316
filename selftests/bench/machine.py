# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""What figures depend on: to be kept with them."""

import datetime
import os
import pathlib
import platform
import subprocess


ICD = pathlib.Path("/etc/OpenCL/vendors")


def _cpuinfo():
    fields = {}
    for line in pathlib.Path("/proc/cpuinfo").read_text(encoding="ascii").split("\n\n")[0].splitlines():
        name, _, value = line.partition(":")
        fields[name.strip()] = value.strip()
    return fields


def _l3():
    """CPUs that share a last-level cache, as far as the machine says."""
    lists = set()
    for cpu in sorted(os.sched_getaffinity(0)):
        path = pathlib.Path(f"/sys/devices/system/cpu/cpu{cpu}/cache/index3/shared_cpu_list")
        if path.exists():
            lists.add(path.read_text(encoding="ascii").strip())
    return sorted(lists)


def describe(top, without=()):
    """A dictionary that says on what, of what and when; @without: flags that do not count"""
    cpu = _cpuinfo()
    interesting = ("aes", "sha_ni", "avx2", "vaes", "avx512f", "avx512bw", "gfni", "amx_tile",
                   "hypervisor")
    git = subprocess.run(["git", "-C", top, "describe", "--always", "--dirty"],
                         capture_output=True, text=True, check=False)
    return {
        "vendor": cpu.get("vendor_id"),
        "cpu": cpu.get("model name", "unknown"),
        "family": cpu.get("cpu family"),
        "model": cpu.get("model"),
        "stepping": cpu.get("stepping"),
        "flags": [flag for flag in interesting
                  if flag in cpu.get("flags", "").split() and flag not in without],
        "without": list(without),
        "cpus": len(os.sched_getaffinity(0)),
        "l3": _l3(),
        "host_kernel": platform.release(),
        "commit": git.stdout.strip() or "unknown",
        "date": datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds"),
    }


def opencl(where):
    """The environment with which OpenCL finds NVIDIA's driver, whose file often is missing in
    containers: others' files, and that one, are left in a directory."""
    if "OCL_ICD_VENDORS" in os.environ:
        return {}
    drivers = {path.name: path.read_text(encoding="utf-8") for path in ICD.glob("*.icd")}
    if not any("nvidia" in text for text in drivers.values()):
        drivers["nvidia.icd"] = "libnvidia-opencl.so.1\n"
    for name, text in drivers.items():
        (where / name).write_text(text, encoding="utf-8")
    return {"OCL_ICD_VENDORS": str(where)}
