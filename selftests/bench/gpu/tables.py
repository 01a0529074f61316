# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Figures to tables."""

import statistics


def failure(cell):
    """What was wrong with one, or nothing. A program that failed may have a result, too."""
    found = cell.get("result")
    counts = {} if not found else {"wrong": found["wrong"], "given back undone": found["retries"],
                                   "failed on the device": found["daemon"]["device_failed"]}
    return ", ".join([*filter(None, [cell.get("failed")]), *(f"{nr} {what}" for what, nr in counts.items() if nr)])


def cells(data, experiment):
    """An experiment's cells that have not failed."""
    return [cell for cell in data["cells"] if cell["experiment"] == experiment and not failure(cell)]


def failures(data):
    """Those that have, where that was not to be expected: a GPU may not have a kind of memory."""
    return [cell for cell in data["cells"] if failure(cell) and
            (cell["experiment"] != "alone" or "result" in cell)]


def gbit(cell):
    """Throughput, in Gbit/s of payload."""
    return cell["result"]["gbit"]


def latency(cell, what):
    """Of the distribution, in microseconds."""
    return cell["result"]["latency"][what + "_us"]


def grid(found, row, column, value, form="{:.1f}", more=""):
    """Lines of a table: what a cell has at @row by what it has at @column."""
    rows, columns = list(dict.fromkeys(map(row, found))), list(dict.fromkeys(map(column, found)))
    by = {(row(cell), column(cell)): cell for cell in found}
    width = max([18, *(len(str(name)) + 2 for name in columns)])
    first = max([12, *(len(str(name)) + 2 for name in rows)])
    lines = [f"  {more:<{first}}" + "".join(f"{str(name):>{width}}" for name in columns)]
    for name in rows:
        values = [form.format(value(by[name, other])) if (name, other) in by else "-" for other in columns]
        lines.append(f"  {str(name):<{first}}" + "".join(f" {text:>{width - 1}}" for text in values))
    return lines


def at(*names):
    """What a cell has under these names, as one."""
    return lambda cell: cell[names[0]] if len(names) == 1 else ", ".join(str(cell[name]) for name in names)


def sizes(data):
    """PIPSEA's figures 8 and 12."""
    lines, found = [], cells(data, "sizes")
    for kind in dict.fromkeys(cell["kind"] for cell in found):
        lines += ["", f"{kind}: Gbit/s by bytes of payload",
                  *grid([cell for cell in found if cell["kind"] == kind], at("size"), at("system"), gbit,
                        more="bytes")]
    return lines


def others(data):
    """The other algorithms."""
    found = cells(data, "others")
    return ["", "other algorithms, 1408 bytes: Gbit/s",
            *grid(found, at("kind"), at("system"), gbit)] if found else []


def schedule(data):
    """PIPSEA's figure 9, end to end and in the kernel alone."""
    found = cells(data, "schedule")
    lines = ["", "the scheduler's parts switched on one by one, end to end: Gbit/s",
             *grid(found, at("lengths", "mix"), at("schedule"), gbit)]
    if data["kernels"]:
        alone = [cell for cell in data["kernels"]["schedule"] if cell["range"] == 256]
        # The default range is also one of the ranges that are compared.
        lines += ["", "the same in the kernel's time alone, chunks of 4096: Gbit/s",
                  *grid(alone, at("lengths", "mix"), at("schedule"), lambda cell: cell["gbit_s"])]
    return lines


def ranges(data):
    """PIPSEA's figure 11."""
    lines, found = [], cells(data, "ranges")
    if found:
        lines += ["", "how finely lengths are told apart, six kinds, end to end: Gbit/s",
                  *grid(found, at("range"), at("lengths"), gbit, more="bytes")]
    if data["kernels"]:
        alone = [cell for cell in data["kernels"]["schedule"] if cell["schedule"] == "all"]
        lines += ["", "the same in the kernel's time alone: Gbit/s",
                  *grid(alone, at("range"), at("lengths", "mix"), lambda cell: cell["gbit_s"], more="bytes")]
    return lines


def chunks(data):
    """PIPSEA's figure 10."""
    found = cells(data, "chunks")
    if not found:
        return []
    column = lambda cell: f"{cell['in flight']} in flight"  # pylint: disable=unnecessary-lambda-assignment
    return ["", "chunk sizes, and how many the GPU has at a time, 1408 B, 1 worker: Gbit/s",
            *grid(found, at("chunk"), column, gbit, more="packets"),
            "  and mean latency: us", *grid(found, at("chunk"), column, lambda cell: latency(cell, "mean"),
                                            more="packets")]


def alone(data):
    """APUNet's figure 7."""
    found = cells(data, "alone")
    impossible = dict.fromkeys((cell["memory"], cell["failed"].splitlines()[-1]) for cell in data["cells"]
                               if cell["experiment"] == "alone" and "result" not in cell)
    return ["", "so many packets of 1408 B and no others: mean latency, us",
            *grid(found, at("packets"), at("memory"), lambda cell: latency(cell, "mean"), more="packets"),
            *(f"  {memory}: {why}" for memory, why in impossible)]


def loads(data):
    """PIPSEA's figure 14."""
    found = cells(data, "loads")
    form = "{0[0]:.0f} / {0[1]:.0f} / {0[2]:.0f}"
    return ["", "packets of 1408 B arriving at random, by share of the peak rate: mean / median / 99 % latency, us",
            *grid(found, at("load"), at("system"),
                  lambda cell: [latency(cell, what) for what in ("mean", "p50", "p99")], form)]


def busy(cell):
    """The share of their time in which workers had something to do."""
    result = cell["result"]
    return result["daemon"]["busy_s"] / (result["seconds"] * result["settings"]["workers"])


def together(data):
    """Lanes and GPU together, and what would be if only the workers' time counted."""
    found = cells(data, "together")
    systems = ("gpu", "lanes", "gpu + lanes")
    lines = ["", "lanes and GPU together, the same threads, 1408 B: Gbit/s, medians",
             "  " + f"{'':<34}" + "".join(f"{name:>14}" for name in (*systems, "of the sum", "in reach"))]
    for kind, workers in dict.fromkeys((cell["kind"], cell["workers"]) for cell in found):
        these = [cell for cell in found if (cell["kind"], cell["workers"]) == (kind, workers)]
        if {cell["system"] for cell in these} != set(systems):
            continue
        alone, lanes, both = (statistics.median(gbit(cell) for cell in these if cell["system"] == name)
                              for name in systems)
        left = 1 - statistics.median(busy(cell) for cell in these if cell["system"] == "gpu")
        lines.append(f"  {f'{kind}, {workers} workers':<34}{alone:>14.1f}{lanes:>14.1f}{both:>14.1f}"
                     f"{both / (alone + lanes):>14.2f}{(alone + lanes * left) / (alone + lanes):>14.2f}")
    return lines


def constant_time(data):
    """Constant time against tables."""
    found, lines = cells(data, "tables"), ["", "AES in constant time against tables, end to end: Gbit/s, medians"]
    for size in dict.fromkeys(cell["size"] for cell in found):
        by = {name: statistics.median(gbit(cell) for cell in found if (cell["size"], cell["aes"]) == (size, name))
              for name in dict.fromkeys(cell["aes"] for cell in found if cell["size"] == size)}
        if len(by) == 2:
            lines.append(f"  {size:>5} B: {by['constant-time']:.1f} against {by['tables']:.1f}, "
                         f"{by['constant-time'] / by['tables']:.2f} of that")
    return lines


def copies(data):
    """The copy engines alone, and how near to that the GPU comes with enough to do."""
    if not data["kernels"]:
        return []
    best, found = max(data["kernels"]["copies"], key=lambda cell: cell["gbit_s"]), cells(data, "full")
    lines = ["", f"the copy engines alone, both ways at once: {best['gbit_s']:.1f} Gbit/s each way "
             f"({best['bytes'] >> 20} MiB, {best['queues']} queues)",
             "and the GPU, every ring full, 1408 B, medians:"]
    for kind in dict.fromkeys(cell["kind"] for cell in found):
        median = statistics.median(gbit(cell) for cell in found if cell["kind"] == kind)
        lines.append(f"  {kind}: {median:.1f} Gbit/s, {median / best['gbit_s']:.2f} of that")
    return lines


def scheduler(data):
    """What scheduling costs."""
    return ["", "scheduling alone, one core, descriptor in to descriptor out: ns a packet",
            *(f"  {cell['mix']}, {cell['lengths']} B: {cell['result']['daemon']['busy_ns_per_packet']:.1f}"
              for cell in cells(data, "scheduler"))]


def several(data):
    """Several GPUs."""
    found, moved = cells(data, "several"), data["copies of several"]
    lines = ["", "several GPUs, 1408 B: Gbit/s, medians (and the least and the most)",
             *(f"  the copy engines, each way, {name}: " + ", ".join(f"{gbit_s:.1f}" for gbit_s in moved[key])
               for name, key in (("one at a time", "alone"), ("at the same time", "all")))]
    for kind in dict.fromkeys(cell["kind"] for cell in found):
        lines.append(f"  {kind}")
        these = [cell for cell in found if cell["kind"] == kind]
        for system, workers in dict.fromkeys((cell["system"], cell["workers"]) for cell in these):
            values = [gbit(cell) for cell in these if (cell["system"], cell["workers"]) == (system, workers)]
            lines.append(f"    {system:<24}{statistics.median(values):>8.1f} "
                         f"({min(values):.1f} to {max(values):.1f}), {workers} workers")
    return lines


def problems(data):
    """What was compared, and what failed."""
    checked = sum(cell["result"]["packets"] for cell in cells(data, "check"))
    lines = ["", f"{checked} packets compared with libcrypto's results"]
    return lines + [f"  FAILED: {cell['command']}: {failure(cell)}" for cell in failures(data)]


def report(data):
    """Everything."""
    where = data["machine"]
    device = next((cell["result"]["backend"] for cell in cells(data, "check")), "no device")
    mixes = cells(data, "mixes")
    head = [f"{where['cpu']} (family {where['family']}, model {where['model']}), {where['cpus']} CPUs, "
            f"{' '.join(where['flags'])}", device, f"{where['commit']}, {where['date']}", *problems(data)]
    if "copies of several" in data:
        return head + several(data)
    return [*head, *copies(data), *sizes(data), *others(data),
            "", "random lengths and IMIX: Gbit/s",
            *grid(mixes, at("lengths", "mix"), at("system"), gbit),
            *schedule(data), *chunks(data), *ranges(data), *alone(data), *loads(data), *together(data),
            *constant_time(data), *scheduler(data)]
