# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Figures to a picture."""

from picture import Picture
from tables import cells, gbit, latency


def _curves(found, name, x, y):
    curves = {}
    for cell in found:
        curves.setdefault(str(cell[name]), []).append((x(cell), y(cell)))
    return {key: sorted(points) for key, points in curves.items()}


def _steps(picture, title, found, value):
    """What the scheduler's parts are worth: one more with each step."""
    order = ["none", "algorithm", "algorithm+length", "all"]
    ticks = ", ".join(f"\"{name}\" {i}" for i, name in enumerate(order))
    curves = {}
    for cell in found:
        curves.setdefault(f"{cell['lengths']}, {cell['mix']}", []).append(
            (order.index(cell["schedule"]), value(cell)))
    picture.panel(title, "parts of the scheduler", "Gbit/s", curves,
                  f"set xtics ({ticks})\nset xrange [-0.2:3.2]\nset yrange [0:*]")
    picture.more("set xtics auto\nset xrange [*:*]\nset yrange [*:*]\n")


def draw(path, data):
    """To an SVG file."""
    picture = Picture()
    found = cells(data, "sizes")
    for kind in dict.fromkeys(cell["kind"] for cell in found):
        picture.panel(f"{kind}: throughput", "bytes of payload", "Gbit/s",
                      _curves([cell for cell in found if cell["kind"] == kind], "system",
                              lambda cell: cell["size"], gbit), "set logscale x 2")
    _steps(picture, "scheduling, end to end", cells(data, "schedule"), gbit)
    if data["kernels"]:
        _steps(picture, "scheduling, kernel time", [cell for cell in data["kernels"]["schedule"]
                                                    if cell["range"] == 256], lambda cell: cell["gbit_s"])
    picture.panel("chunks of so many packets, 1408 B", "packets", "Gbit/s",
                  {f"{nr} in flight": points for nr, points in
                   _curves(cells(data, "chunks"), "in flight", lambda cell: cell["chunk"], gbit).items()},
                  "set logscale x 2")
    picture.panel("lengths told apart by so much, six kinds", "bytes", "Gbit/s",
                  _curves(cells(data, "ranges"), "lengths", lambda cell: cell["range"], gbit), "set logscale x 2")
    picture.panel("so many packets of 1408 B, alone", "packets", "mean latency, us",
                  _curves(cells(data, "alone"), "memory", lambda cell: cell["packets"],
                          lambda cell: latency(cell, "mean")), "set logscale xy")
    picture.panel("latency at half the peak rate, 1408 B", "us", "share of packets",
                  {cell["system"]: [(us, (i + 1) / 200) for i, us in enumerate(cell["result"]["latency"]["curve_us"])]
                   for cell in cells(data, "loads") if cell["load"] == 0.5}, "set key bottom right")
    picture.draw(path)
