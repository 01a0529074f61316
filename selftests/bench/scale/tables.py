# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Figures to tables."""

import statistics

BASE, TEST = 0, 1
# of payload in every packet
BITS = 8 * 1408


def side(cell, which, field):
    """The median of a field of one side's samples."""
    return statistics.median(sample[field] for sample in cell["samples"] if sample["side"] == which)


def kpps(cell, which):
    """Thousand packets a second, of all CPUs together."""
    return side(cell, which, "pps") / 1e3


def gbit(cell, which):
    """The same in Gbit/s of payload."""
    return side(cell, which, "pps") * BITS / 1e9


def ratios(cell):
    """Of each pair of samples that were one after the other: least and most."""
    rates = [[sample["pps"] for sample in cell["samples"] if sample["side"] == which] for which in (BASE, TEST)]
    each = [test / base for base, test in zip(*rates)]
    return min(each), max(each)


def cells(data, experiment, **at):
    """An experiment's cells that have samples, where they are at @at."""
    return [cell for cell in data["cells"] if cell["experiment"] == experiment and "samples" in cell and
            all(cell.get(name) == value for name, value in at.items())]


def failures(data):
    """What was wrong."""
    return [f"{cell['spec']}: {cell['failed'].strip()}" for cell in data["cells"] if "failed" in cell] + \
        data.get("splats", [])


def line(cell):
    """What came of one, for who waits."""
    what = " ".join(str(cell[name]) for name in ("experiment", "way", "mode", "alg", "op", "cpus", "workers", "backend")
                    if name in cell)
    if "failed" in cell:
        return [f"{what}: FAILED: {cell['failed'].strip()}"]
    return [f"{what}: {kpps(cell, TEST):.0f} thousand/s, the kernel {kpps(cell, BASE):.0f}"]


def _chunk(cell):
    counted = cell["counted"]
    return counted["packets"] / counted["chunks"] if counted["chunks"] else 0


def _offloaded(cell):
    counted = cell["counted"]
    done = counted["requests_inline"] + counted["requests_offloaded"]
    return f"{100 * counted['requests_offloaded'] / max(1, done):.0f} %"


def _ns(cell, which):
    """What a packet takes: the median and half of the range."""
    found = [1e9 / sample["pps"] for sample in cell["samples"] if sample["side"] == which]
    return f"{statistics.median(found):.0f}+-{(max(found) - min(found)) / 2:.0f}"


def _section(title, width, head, rows):
    return ["", title, *("".join(f"{value:>{width}}" for value in row) for row in (head, *rows))] if rows else []


def _gaps(cell):
    """The longest that nothing came back on a CPU, of both sides."""
    return " / ".join(f"{side(cell, which, 'gap_ns') / 1e6:.1f}" for which in (BASE, TEST))


def _bells(cell):
    counted = cell["counted"]
    return 1000 * counted["bells"] / counted["packets"] if counted.get("packets") else 0


def _busy(cell):
    """Of the time of those who submit: how much they did not wait."""
    found = [(sample["submit_ns"] + sample["complete_ns"]) / sample["wall_ns"] for sample in cell["samples"]
             if sample["side"] == TEST and "wall_ns" in sample]
    return f"{100 * statistics.median(found):.0f} %" if found else "-"


def _table(title, found, names):
    """Where each is, both sides, their ratio, how evenly, and what share of its own the slowest CPU has."""
    head = (*names, "kernel on", "kernel", "wavecrypt", "ratio", "of samples", "slowest", "fastest", "share",
            "busy", "gaps ms", "offloaded", "a chunk", "bells/1000")
    return _section(title, 13, head, [
        [*(cell.get(name, "-") for name in names),
         f"{side(cell, BASE, 'cpus'):.0f}", f"{kpps(cell, BASE):.0f}", f"{kpps(cell, TEST):.0f}",
         f"{kpps(cell, TEST) / kpps(cell, BASE):.2f}", "{:.2f}-{:.2f}".format(*ratios(cell)),
         f"{side(cell, TEST, 'least') / 1e3:.0f}",
         f"{side(cell, TEST, 'most') / 1e3:.0f}",
         f"{side(cell, TEST, 'least') * cell['cpus'] / side(cell, TEST, 'pps'):.2f}", _busy(cell), _gaps(cell),
         _offloaded(cell), f"{_chunk(cell):.0f}", f"{_bells(cell):.0f}"] for cell in found])


def _latency(data):
    return _section(
        "packets of 1408 B that arrive one by one on each CPU: latency in us, kernel / wavecrypt", 20,
        ("by", "CPUs", "ns apart", "median", "99 %", "99.9 %"),
        [["tunnels" if "routes" in cell else "one SA" if "share" in cell else "an SA each",
          cell["cpus"], cell["interval_ns"],
          *(" / ".join(f"{side(cell, which, field) / 1e3:.1f}" for which in (BASE, TEST))
            for field in ("p50_ns", "p99_ns", "p999_ns"))] for cell in cells(data, "latency")])


def _gpu_row(cell):
    counted = cell["counted"]
    chunks, on = max(1, counted["device_chunks"]), counted["device_packets"]
    return [cell["backend"], cell["mode"], cell["alg"], cell["op"], cell["cpus"], cell["workers"],
            f"{side(cell, BASE, 'cpus'):.0f}", f"{gbit(cell, BASE):.1f}", f"{gbit(cell, TEST):.1f}",
            f"{gbit(cell, TEST) / gbit(cell, BASE):.2f}", f"{side(cell, TEST, 'least') * BITS / 1e9:.1f}",
            _busy(cell), f"{side(cell, TEST, 'gap_ns') / 1e6:.1f}", _offloaded(cell),
            f"{100 * on / max(1, counted['requests_offloaded']):.0f} %", f"{on / chunks:.0f}",
            f"{counted['device_runs'] / chunks:.1f}", f"{100 * counted['device_packed'] / max(1, on):.0f} %"]


def _gpu(found, title):
    """In Gbit/s of payload; what the device did, and how it came by it."""
    head = ("by", "mode", "alg", "op", "cpus", "workers", "kernel on", "kernel", "wavecrypt", "ratio", "slowest",
            "busy", "gap ms", "offloaded", "on device", "a chunk", "runs in it", "collected")
    return _section(title, 12, head, [_gpu_row(cell) for cell in found])


def _one_flow(data):
    """In ns for each packet, as an operator of one tunnel counts."""
    return _section(
        "one flow through one tunnel, 1408 B: ns for each packet", 16,
        ("alg", "op", "by", "kernel", "wavecrypt", "ratio", "Gbit/s", "offloaded", "a chunk"),
        [[cell["alg"], cell["op"], cell["way"], *(_ns(cell, which) for which in (BASE, TEST)),
          f"{kpps(cell, TEST) / kpps(cell, BASE):.2f}", f"{gbit(cell, TEST):.1f}", _offloaded(cell),
          f"{_chunk(cell):.0f}"] for cell in cells(data, "one flow")])


def _tcp_row(cell):
    kernel, wavecrypt = (side(cell, which, "bps") / 1e9 for which in (BASE, TEST))
    return [cell["mode"], cell["alg"], cell.get("by", "GSO"),
            f"{kernel:.2f}", f"{wavecrypt:.2f}", f"{wavecrypt / kernel:.2f}",
            " / ".join(f"{side(cell, which, 'retransmits'):.0f}" for which in (BASE, TEST)),
            _offloaded(cell), f"{_chunk(cell):.0f}"]


def _tcp(data):
    """What a connection carries."""
    head = ("mode", "alg", "by", "kernel", "wavecrypt", "ratio", "retransmits", "offloaded", "a chunk")
    return _section("TCP between hosts behind two gateways, one connection: Gbit/s", 16, head,
                    [_tcp_row(cell) for cell in cells(data, "tcp")])


def lanes_by(data, mix, length):
    """(daemons, workers) to the better rate in million packets/s and Gbit/s."""
    found = {}
    for run in data["lanes"]:
        if (run["mix"], run["length"]) == (mix, length):
            found.setdefault((run["daemons"], run["workers"]), []).append((run["mpps"], run["gbit"]))
    return {at: tuple(max(values) for values in zip(*runs)) for at, runs in found.items()}


def _lanes(data):
    lines = []
    for mix, length in dict.fromkeys((run["mix"], run["length"]) for run in data["lanes"]):
        by = lanes_by(data, mix, length)
        lines += [f"  {mix}, {length} B, {daemons} x {workers} workers: {mpps:.1f} million/s, {gbit:.1f} Gbit/s"
                  for (daemons, workers), (mpps, gbit) in by.items()]
        one = max((at for at in by if at[0] == 1), key=lambda at: at[1])
        several = [at for at in by if at[0] > 1]
        if several:
            lines.append(f"    one daemon does {by[one][0] / by[several[0]][0]:.2f} of what {several[0][0]} do")
    title = "the lanes alone, over the loopback, daemons x workers"
    if any(run["turn"] for run in data["lanes"]):
        title += ": the better of two runs"
    return ["", title, *lines] if lines else []


def _interrupt(data):
    found = data.get("interrupt_ns")
    if not found:
        return []
    how = f"no signal, but {data['light_ipi']} ns" if data["light_ipi"] else "a signal"
    return [f"an interrupt from a CPU of the guest to another, and the answer, take "
            f"{statistics.median(found) / 1e3:.1f} us ({how})"]


def report(data):
    """Everything."""
    where = data["machine"]
    own = ("mode", "alg", "op", "cpus", "workers")
    wrong = failures(data)
    packets = sum(sample["packets"] for cell in data["cells"] for sample in cell.get("samples", []))
    return [f"{where['cpu']} (family {where['family']}, model {where['model']}), {where['cpus']} CPUs, "
            f"{' '.join(where['flags'])}", ", ".join([where["commit"], where["date"], *data["set"]]),
            *_interrupt(data), f"{packets} packets measured; {len(wrong)} failures", *(f"  FAILED: {text}" for text in wrong),
            *_lanes(data),
            *_gpu(cells(data, "gpu"), "lanes, a GPU, and both, an SA for each CPU, 1408 B: Gbit/s"),
            *_gpu(cells(data, "gpu tunnels"), "the same through tunnels, one for each CPU"),
            *_table("an SA for each CPU, 1408 B: thousand packets/s", cells(data, "own"), own),
            *_table("one SA that all CPUs share", cells(data, "shared"), own),
            *_table("the same, and the kernel on those CPUs alone that submit", cells(data, "shared alone"), own),
            *_table("many SAs: so many for each CPU", cells(data, "many"), ("mode", "cpus", "workers", "tfms")),
            *_latency(data),
            *_table("tunnels, one for each CPU", cells(data, "tunnels"), ("routes", "op", "cpus", "workers")),
            *_table("the same, and the kernel on those CPUs alone that submit", cells(data, "tunnels alone"),
                    ("routes", "op", "cpus", "workers")),
            *_one_flow(data), *_tcp(data),
            *_table("one tunnel that all CPUs share", cells(data, "shared tunnel"), ("op", "cpus", "workers")),
            *_table("the same, and the kernel on those CPUs alone that submit", cells(data, "shared tunnel alone"),
                    ("op", "cpus", "workers"))]
