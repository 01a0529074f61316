# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Figures to a picture."""

from picture import Picture
from tables import BASE, TEST, cells, kpps, lanes_by


def _by_cpus(found, curve):
    """wavecrypt by the number of CPUs that submit, and the kernel on all that both use."""
    curves = {}
    for cell in found:
        curves.setdefault(f"wavecrypt, {curve(cell)}", []).append((cell["cpus"], kpps(cell, TEST) / 1e3))
        curves.setdefault("kernel, on as many in all", {})[cell["cpus"]] = kpps(cell, BASE) / 1e3
    return {name: sorted(points.items() if isinstance(points, dict) else points) for name, points in curves.items()}


def draw(path, data):
    """To an SVG file."""
    picture = Picture()
    style = "set logscale xy 2"
    for alg, op in (("cbc-sha1", "encrypt"), ("cbc-sha1", "decrypt"), ("gcm", "encrypt")):
        few = min((cell["workers"] for cell in cells(data, "own", alg=alg, op=op)), default=0)
        picture.panel(f"{alg}, {op}, 1408 B, an SA for each CPU", "CPUs that submit", "million packets/s",
                      _by_cpus(cells(data, "own", alg=alg, op=op, workers=few), lambda cell: cell["mode"]), style)
    picture.panel("cbc-sha1, encrypt, 1408 B, one SA for all CPUs", "CPUs that submit", "million packets/s",
                  _by_cpus(cells(data, "shared"), lambda cell: cell["mode"]), style)
    for op in "encrypt", "decrypt":
        picture.panel(f"tunnels, {op}, one for each CPU", "CPUs that submit", "million packets/s",
                      _by_cpus(cells(data, "tunnels", op=op, routes="common"), lambda cell: cell["mode"]), style)
    for mix, length in dict.fromkeys((run["mix"], run["length"]) for run in data["lanes"]):
        points = [(workers, mpps) for (daemons, workers), (mpps, _) in lanes_by(data, mix, length).items()
                  if daemons == 1]
        picture.panel(f"lanes alone, {mix}, {length} B", "workers of one daemon", "million packets/s",
                      {"one daemon": sorted(points)}, style)
    if picture.panels:
        picture.draw(path)
