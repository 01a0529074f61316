# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Disturbances of the helper, under requests at a steady rate, in a guest."""

import json
import pathlib
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
KERNEL = "7.2-full"
SUBMIT_CPU, HELPER_CPU = 0, 1

# What is promised; times in ms.
# How long nothing completes when the helper stops: half of the times, and 99 of 100
STILL, STILL_99 = 5, 20
# How long a tasklet of the module's works: twice half a ms is what it allows itself
HELD = 1
# Pending of an SA: what the module's parameter "pending" says, and one more
PENDING = 1025
# With mode=auto, lent at a time to a helper of which nothing was seen lately; and how long
# a helper may keep a request at most
TRIED, WAITED = 16, 20
# How much later others' timers are at least on a CPU that lists all SAs, or shows a helper
# all keys
LATE = 2
# The most that wavecrypt_bench takes
LONGEST_US = 1000000000
# For as many SAs as are made here
MODULE_ARGS = "keys=32768"
# When the helper starves: of what is done inline, and how much later 99 % are
PART, LATER = 0.9, 2


def cell(name, mode, helper="daemon", disturb="watch", alg="gcm", rate=500000, **more):
    """What to do: a disturbance, under requests of an algorithm at a rate a second."""
    found = {"name": name, "mode": mode, "prefer": "throughput", "stall_ms": 0,
             "driver": "wavecrypt", "helper": helper,
             "disturb": disturb, "alg": alg, "len": 1408 if alg == "gcm" else 256, "depth": 4096,
             "tfms": 1, "times": 20, "stopped_ms": 200, "going_ms": 200, "run_ms": 0,
             "quota": "",
             "hogs": 0, "helper_cpu": HELPER_CPU, "forget": False, "settle_us": 300000,
             "answers_ms": 0,
             "interval_ns": 1000000000 // rate if rate else 0, **more}
    each = found["going_ms"] * (2 if disturb == "alternate" else 1)
    if disturb == "stop":
        each += found["stopped_ms"]
    # the traffic ends with the last disturbance, which a busy machine makes late
    found["slice_us"] = min(10000 * found["times"] * each + 10000000, LONGEST_US)
    return found


def stops(times):
    """The helper is stopped."""
    for alg, rate in (("gcm", 500000), ("cbc-sha1", 500000), ("cbc-sha1", 700000)):
        yield cell("kernel's driver", "inline", helper="", alg=alg, rate=rate, driver="kernel",
                   times=times // 2)
    for alg, rate in (("gcm", 500000), ("cbc-sha1", 700000)):
        yield cell("stopped while all is inline", "auto", disturb="stop", alg=alg, rate=rate,
                   forget=True, times=times)
    for rate in (500000, 700000):
        yield cell("stopped while it offloads", "offload", disturb="stop", alg="cbc-sha1",
                   rate=rate, times=times)


def crawls(times, slow=(3, 900), **kept):
    """The helper is slow, with all or with one of many."""
    for ms in slow:
        for mode in ("auto", "offload"):
            yield cell(f"answers after {ms} ms", mode, helper=f"crawl {ms}", going_ms=1000,
                       answers_ms=ms, times=times)
    # What it pretends to have done is not looked at, but for what comes first, inline. The
    # router begins anew in each turn, and tries it more often in the first second.
    yield cell("keeps one for 2.5 ms", "inline", helper="crawl 2.5 keep", alg="cbc-sha512",
               rate=100000, len=1408, prefer="cpu", disturb="alternate", times=times,
               **{"going_ms": 10000, **kept})


# who takes the helper's CPU time away
STARVED = (
    ("two others on its CPU", {"hogs": 2}),
    ("on the CPU that submits", {"helper_cpu": SUBMIT_CPU}),
    ("10 ms of CPU time in 100", {"quota": "10000 100000"}),
    ("0.5 ms in 5", {"stopped_ms": 4.5, "run_ms": 0.5}),
)


def starves(times, going_ms=1000, paced=250000):
    """Others take the CPU's time: at a rate, and as fast as it goes."""
    for name, how in STARVED:
        for rate, depth in ((paced, 4096), (0, 256)):
            yield cell(name, "auto", alg="cbc-sha1", len=1408, rate=rate, depth=depth,
                       disturb="alternate", going_ms=going_ms, times=times, settle_us=0, **how)


def crowds(times, sas=32768, rate=50000):
    """There are many SAs, and somebody lists them all, or a helper is shown all their keys."""
    more = {"alg": "gcm", "len": 64, "rate": rate, "depth": sas, "tfms": sas,
            "stall_ms": 1000, "going_ms": 3000, "times": times}
    yield cell("all SAs are listed", "inline", helper="", disturb="list", **more)
    yield cell("a helper attaches", "inline", helper="crawl 0", disturb="attach", **more)


def output(*command):
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def measure(cells, kernel, module_args, urgent=True):
    """Run them in a guest. Return: what came of each."""
    (TOP / "build").mkdir(exist_ok=True)
    work = pathlib.Path(tempfile.mkdtemp(prefix="stall.", dir=TOP / "build"))
    try:
        bench = [path for path in output(TOP / "selftests/uml/module", kernel, "selftests/kmod")
                 if "bench" in path]
        subprocess.run(["make", "-s", "-C", TOP, "helper", "tests"], check=True,
                       stdout=sys.stderr)
        driver, = output(TOP / "selftests/uml/module", kernel, "driver")
        module = [driver, MODULE_ARGS, *shlex.split(module_args)]
        (work / "cells").write_text(json.dumps({"module": module, "cells": cells}),
                                    encoding="utf-8")
        subprocess.run([TOP / "selftests/uml/run", kernel, "--mem", "1G",
                        *(["--urgent"] if urgent else []), "--out", work,
                        "--module", *bench, "--timeout", "1800", "--",
                        TOP / "selftests/bench/stall_guest", work], check=True, stdout=sys.stderr)
        results = [json.loads(line) for line in
                   (work / "results").read_text(encoding="utf-8").splitlines()]
    finally:
        shutil.rmtree(work)
    return [{**asked, **found} for asked, found in zip(cells, results, strict=True)]


def marked(result):
    """The times from each mark to the next that was seen: after how many marks, and how many
    it lasted. Where nothing completed, it would have taken that long at least. When the
    machine takes the CPU away while a mark is made, others are late on one side of it."""
    lines = [line for line in result["lines"] if "mark" in line]
    ends = [*(line["mark"] for line in lines[1:]), lines[-1]["mark"] + 1]
    lates = [0, *(line["late_ns"] for line in lines), 0]
    return [{"p50_ns": line["wall_ns"], "p99_ns": line["wall_ns"], **line,
             "turn": line["mark"] - lines[0]["mark"], "turns": end - line["mark"],
             "around_ns": max(lates[i:i + 3])}
            for i, (line, end) in enumerate(zip(lines, ends))]


def idle(result):
    """The times in which nothing completed, though the machine had not taken the CPU away."""
    return [window for window in marked(result)
            if not window["requests"] and window["around_ns"] < window["wall_ns"] / 2]


def crowded(result):
    """Whether something is done about all SAs."""
    return result["disturb"] in ("list", "attach")


def disturbed(result):
    """The times from a disturbance on; not what was before the first and after the last.
    Where modes alternate, those that belong together."""
    windows = marked(result)[1:-1]
    if crowded(result):
        return [window for window in windows if window["turn"] % 2 == 0]
    if result["disturb"] == "stop":
        return [window for window in windows if window["turn"] % 2 or window["turns"] > 1]
    if result["disturb"] == "alternate":
        whole = {window["turn"]: window for window in windows
                 if window["turns"] == 1 and window["requests"]}
        return [whole[turn + second] for turn in whole if turn % 2 and turn + 1 in whole
                for second in (0, 1)]
    return windows


def sides(result):
    """Modes, and the times of each."""
    windows = disturbed(result)
    if result["disturb"] == "alternate":
        return {"inline": windows[::2], "auto": windows[1::2]}
    return {result["mode"]: windows}


def rate_of(window):
    """Thousands of requests a second."""
    return window["requests"] / window["wall_ns"] * 1e6


def beside(result):
    """Of each time inline and the next, with auto: the one's rate, which part of it the
    other's was, and how much later 99 % were done then; how late others were, in ms."""
    inline, auto = sides(result).values()
    return [{"rate": rate_of(a), "part": rate_of(b) / rate_of(a),
             "later": (b["p99_ns"] - a["p99_ns"]) / 1e6,
             "late": max(a["around_ns"], b["around_ns"]) / 1e6}
            for a, b in zip(inline, auto)]


def total(result):
    """What was printed of all."""
    return next(line for line in result["lines"] if "lost" in line)


def of(windows, key, part=1.0):
    """The value that so large a part of them does not exceed."""
    values = sorted(window[key] for window in windows)
    return values[min(int(len(values) * part), len(values) - 1)]


def summary(result, windows):
    """Some times of a result in figures; times in ms."""
    pending = of(windows, "pending")
    wall = sum(window["wall_ns"] for window in windows)
    return {
        "times": len(windows),
        "still_median": of(windows, "standstill_ns", 0.5) / 1e6,
        "still_99": of(windows, "standstill_ns", 0.99) / 1e6,
        "still_most": of(windows, "standstill_ns") / 1e6,
        "pending": pending,
        "kib": pending * total(result)["bytes"] // 1024,
        "late": of(windows, "late_ns") / 1e6,
        "other": of(windows, "other_ns") / 1e6,
        "other_median": of(windows, "other_ns", 0.5) / 1e6,
        "held": of(windows, "held_ns") / 1e6,
        "p50": of(windows, "p50_ns", 0.5) / 1e6,
        "p99": of(windows, "p99_ns", 0.5) / 1e6,
        "most": of(windows, "max_ns") / 1e6,
        "rate": sum(window["requests"] for window in windows) / wall * 1e6,
        "lost": total(result)["lost"],
        **{key: result["counters"].get(key, 0)
           for key in ("requests_offloaded", "redone", "stalls")},
    }


def starved(result):
    """Whether the helper is kept from running."""
    return result["disturb"] == "alternate" and result["helper"] == "daemon"


def speed(result):
    """What was asked for."""
    return f"{1e6 / result['interval_ns']:.0f},000 a second" if result["interval_ns"] else \
        "as fast as it goes"


def title(result):
    """Of a cell."""
    return f"{result['name']}, {result['mode']}, {result['alg']}, {speed(result)}"


def in_vain(result):
    """Whether the helper never answered as long as it was waited for."""
    late = of(marked(result), "late_ns") / 1e6
    return result["mode"] == "auto" and result["answers_ms"] > max(WAITED, 2 * late)


def enough(result):
    """Whether there is something to judge by."""
    return not result["status"] and len(disturbed(result)) >= max(result["times"] // 2, 1)


def away(result):
    """Whether the machine had taken the CPU away wherever no request was seen from one mark
    to the next."""
    unseen = [window for window in marked(result)
              if window["turns"] > 1 or not window["requests"]]
    return bool(unseen) and all(window["around_ns"] > 0.9e6 * result["going_ms"]
                                for window in unseen)


def calm(result):
    """How late others were, in ms, half of the times when nothing was done about all SAs."""
    return statistics.median(window["late_ns"] for window in marked(result)[1:-1]
                             if window["turn"] % 2 and window["turns"] == 1) / 1e6


def holds_up(result, most):
    """What is wrong where something is done about all SAs, and others may be so much later, in
    ms. What the module does shows each time."""
    late = of(disturbed(result), "late_ns", 0) / 1e6
    if late > most + calm(result):
        yield f"others on that CPU were {late:.2f} ms late at least"


def fails(result):
    """What is wrong however busy the machine was, a line each."""
    if result["status"]:
        yield "the traffic ended with an error; the log says which"
        return
    if not enough(result):
        yield f"traffic flowed only {len(disturbed(result))} times of {result['times']}"
        return
    if total(result)["lost"]:
        yield f"{total(result)['lost']} requests lost"
    still = idle(result)
    if still:
        yield (f"nothing completed from one mark to the next, {len(still)} times, while others"
               f" were {of(still, 'around_ns') / 1e6:.1f} ms late at most")
    pending = of(marked(result), "pending")
    if pending > PENDING:
        yield f"{pending} requests pending"
    redone, stalls = (result["counters"][key] for key in ("redone", "stalls"))
    if in_vain(result) and redone > TRIED * (stalls + 1):
        yield f"{redone} requests redone, though it stalled only {stalls} times"


def breaks(result):
    """What is not as promised, a line each."""
    yield from fails(result)
    if not enough(result):
        return
    for mode, windows in sides(result).items():
        found = summary(result, windows)
        if result["driver"] == "wavecrypt" and not 0 <= found["held"] <= HELD:
            yield f"{mode}: a tasklet worked for {found['held']:.2f} ms"
        if result["disturb"] == "stop" and found["still_median"] > STILL:
            yield f"nothing completed for {found['still_median']:.2f} ms (median)"
        if result["disturb"] == "stop" and found["still_99"] > STILL_99:
            yield f"nothing completed for {found['still_99']:.2f} ms (99 %)"
    if crowded(result):
        yield from holds_up(result, LATE)
    if not starved(result):
        return
    part, later = (statistics.median(turn[key] for turn in beside(result))
                   for key in ("part", "later"))
    if part < PART:
        yield f"{part:.2f} of what is done inline (median)"
    if later > LATER:
        yield f"99 % done {later:.2f} ms later than inline (median)"


HEAD = f"""\
{'':27}                         kilo-  stood still, ms    most pending  late other flow    held latency
{'':27} mode    algorithm       req/s median   99%  most  number   KiB    ms median  most    ms 99%, ms  lost
"""


def rows(result):
    """A line for each of its modes."""
    if not enough(result):
        yield f"{result['name']:27} {result['mode']:7} failed"
        return
    for mode, windows in sides(result).items():
        s = summary(result, windows)
        reqs = f"{s['rate']:.0f}" + ("" if result["interval_ns"] else "*")
        held = f"{s['held']:.2f}" if result["driver"] == "wavecrypt" else "-"
        # as fast as it goes, it has to wait until there is room for one more
        other, most = ((f"{s[key]:.2f}" if result["interval_ns"] else "-")
                       for key in ("other_median", "other"))
        yield (f"{result['name']:27} {mode:7} {result['alg']:10} {result['len']:4} {reqs:>5}"
               f" {s['still_median']:6.2f} {s['still_99']:5.1f} {s['still_most']:5.1f}"
               f" {s['pending']:7} {s['kib']:5} {s['late']:5.1f}"
               f" {other:>6} {most:>5} {held:>5} {s['p99']:6.2f}"
               f" {s['lost']:5}")


def table(results):
    """As text."""
    lines = [line for result in results for line in rows(result)]
    return "\n".join([HEAD, *lines, "", "* as fast as it goes, 256 at a time"])
