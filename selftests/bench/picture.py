# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Figures to a picture, by gnuplot."""

import re
import subprocess

TITLES = {"cbc-sha1": "AES-CBC + HMAC-SHA1", "gcm": "AES-GCM"}
WHO = ("kernel", "wavecrypt")


def _block(name, points):
    rows = "\n".join(" ".join(f"{value:g}" for value in point) for point in points)
    return f"${name} << END\n{rows}\nEND\n"


class Picture:
    """Panels, each of which has lines."""

    def __init__(self):
        self.data = ""
        self.panels = []

    def panel(self, title, x, y, curves, more="", style="linespoints"):
        """@curves: name to a list of (x, y)."""
        plots = []
        for name, points in curves.items():
            # A short run on a busy machine may have counted nothing, which has no logarithm.
            if re.search(r"logscale \w*y", more):
                points = [point for point in points if point[1]]
            if not points:
                continue
            block = f"d{self.data.count(' << END')}"
            self.data += _block(block, points)
            plots.append(f"${block} using 1:2 with {style} title '{name}'")
        if plots:
            self.panels.append(f"set title '{title}'\nset xlabel '{x}'\nset ylabel '{y}'\n{more}\n"
                               f"plot {', '.join(plots)}\nunset logscale\n")

    def more(self, commands):
        """Commands between the panels before and after."""
        self.panels[-1] += commands

    def draw(self, path):
        """To an SVG file."""
        rows = (len(self.panels) + 1) // 2
        script = (f"{self.data}\nset terminal svg size 1200,{380 * rows} font 'sans,11' "
                  f"noenhanced background 'white'\nset output '{path}'\nset grid\nset key top left\n"
                  f"set multiplot layout {rows},2\n{''.join(self.panels)}unset multiplot\n")
        subprocess.run(["gnuplot"], input=script, text=True, check=True)
        # To be kept, it has no blanks at lines' ends.
        lines = path.read_text(encoding="utf-8").splitlines()
        path.write_text("\n".join(line.rstrip() for line in lines).strip() + "\n", encoding="utf-8")


def _best(results, alg, op, length, side):
    return min((r.ns(side) for r in results if r and (r.cell.alg, r.cell.op, r.cell.len, r.cell.tfms,
                                                      r.cell.mode) == (alg, op, length, 1, "auto")),
               default=None)


def _over_size(picture, throughput, alg):
    curves = {}
    for op in ("encrypt", "decrypt"):
        for side, who in enumerate(WHO):
            lens = sorted({r.cell.len for r in throughput if r and r.cell.len})
            points = [(length, 8 * length / ns) for length in lens
                      if (ns := _best(throughput, alg, op, length, side))]
            if points:
                curves[f"{who}, {op}"] = points
    picture.panel(f"{TITLES[alg]}, one SA: throughput", "bytes of payload", "Gbit/s", curves,
                  "set logscale x 2")


def _over_depth(picture, throughput, alg):
    curves = {}
    for op in ("encrypt", "decrypt"):
        for side, who in enumerate(WHO):
            points = sorted((r.cell.depth, r.ns(side)) for r in throughput
                            if r and (r.cell.alg, r.cell.op, r.cell.len, r.cell.tfms,
                                      r.cell.mode) == (alg, op, 1408, 1, "auto"))
            if points:
                curves[f"{who}, {op}"] = points
    picture.panel(f"{TITLES[alg]}, 1408 B: time", "requests in flight", "ns per packet", curves,
                  "set logscale x 2\nset yrange [0:*]")


def _over_load(picture, latency, alg):
    curves = {}
    for side, who in enumerate(WHO):
        for field, name in (("p50_ns", "median"), ("p99_ns", "99 %")):
            points = [(1e3 / r.cell.interval_ns, r.median(side, field) / 1e3) for r in latency
                      if r and (r.cell.alg, r.cell.op, r.cell.len) == (alg, "encrypt", 1408)
                      and r.ns(side) <= 1.05 * r.cell.interval_ns]
            if points:
                curves[f"{who}, {name}"] = points
    picture.panel(f"{TITLES[alg]}, encrypt, 1408 B: latency", "million packets/s",
                  "microseconds", curves, "set logscale y")


def draw(path, throughput, latency):
    """Throughput over size, time over queue depth, latency over load."""
    picture = Picture()
    for alg in TITLES:
        _over_size(picture, throughput, alg)
    for alg in TITLES:
        _over_depth(picture, throughput, alg)
    for alg in TITLES:
        _over_load(picture, latency, alg)
    picture.draw(path)


def summary(path, throughput):
    """Of these, the two that say most: Documentation/performance.svg is one."""
    picture = Picture()
    _over_depth(picture, throughput, "cbc-sha1")
    _over_size(picture, throughput, "cbc-sha1")
    picture.draw(path)


def tunnels(path, results):
    """What one tunnel carries, with and without flowtables."""
    picture = Picture()
    for op, way in (("encrypt", "into"), ("decrypt", "out of")):
        for what, name in (("gateway", "forwarded"), ("flow", "forwarded by a flowtable")):
            curves = {}
            for who, alg in (("kernel", "gcm"), ("wavecrypt", "cbc-sha1"), ("kernel", "cbc-sha1")):
                points = sorted((r.cell.len, 8 * r.cell.len / r.ns(WHO.index(who))) for r in results
                                if r and r.cell.len and r.cell.depth == 256 and
                                (r.cell.alg, r.cell.op, r.cell.what) == (alg, op, what))
                if points:
                    curves[f"{TITLES[alg]}, {who}"] = points
            picture.panel(f"One tunnel, {name} {way} it, one CPU for XFRM", "bytes of payload",
                          "Gbit/s", curves, "set yrange [0:*]")
    picture.draw(path)
