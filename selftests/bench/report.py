# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Figures to tables."""

import statistics

import plan
from figures import BASE, TEST

# With mode=auto nothing is to be slower.
AUTO_AT_LEAST = 0.97
NAMES = {"cbc-sha1": "AES-CBC + HMAC-SHA1", "gcm": "AES-GCM"}


def _name(alg):
    return NAMES.get(alg, alg)


def nothing(result):
    """Why there are no figures."""
    return "not in this kernel" if result.absent else "failed"


def suites(results, library, missed):
    """A row for each; @library: {(alg, op): ns} of the lanes by themselves, and of OpenSSL's;
    @missed: what a result was to be and is not, given those of the lanes and of all."""
    lines = ["", "1408 B, one SA, mode=auto: ns per packet, and how many times as fast",
             f"  {'':<20}{'':>8}{'depth':>6}{'kernel':>8}{'wavecrypt':>10}{'ratio':>12}"
             f"{'library':>9}{'of it':>7}{'stitched':>9}  missed"]
    for result in results:
        alg, op, depth = result.cell.alg, result.cell.op, result.cell.depth
        if not result:
            lines.append(f"  {alg:<20}{op:>8}{depth:>6}  {nothing(result)}")
            continue
        # ESN's trailer is hashed by the same lanes.
        lanes = library.get((alg.removesuffix("-esn"), op))
        stitched = library.get((alg, f"{op}_stitched"))
        lines.append((f"  {alg:<20}{op:>8}{depth:>6}{result.ns(BASE):>8.0f}{result.ns(TEST):>10.0f}"
                      f"{result.ratio():>7.2f}+-{result.ratio_spread():.2f}"
                      + (f"{lanes:>9.0f}{lanes / result.ns(TEST):>7.2f}" if lanes else f"{'':>16}")
                      + (f"{stitched:>9.0f}" if stitched else f"{'':>9}")
                      + f"  {', '.join(missed(result, lanes))}").rstrip())
    return lines


def _size(length):
    return str(length) if length else "IMIX"


def _plural(tfms):
    return "one SA" if tfms == 1 else f"{tfms} SAs"


def _named(cell):
    return (f"{cell.alg} {cell.op} {_size(cell.len)} B, {cell.depth} in flight,"
            f" {_plural(cell.tfms)}")


def _distances(results):
    distances = [r.distance() for r in results if r.distance()]
    if not distances:
        return "not measured"
    return f"{min(distances):.0f} to {max(distances):.0f} ns"


def _rows(results):
    """Results in groups that make a table each, and by length in those."""
    groups = {}
    for result in results:
        cell = result.cell
        group = groups.setdefault((cell.alg, cell.op, cell.tfms, cell.mode), {})
        group.setdefault(cell.len, {})[cell.depth] = result
    return groups


def throughput(results):
    """How many times as fast as the kernel's driver, by size and queue depth."""
    lines = []
    for (alg, op, tfms, mode), by_len in _rows(results).items():
        group = [r for by_depth in by_len.values() for r in by_depth.values()]
        good = [r for r in group if r]
        if not good:
            continue
        depths = sorted({r.cell.depth for r in group})
        lines += ["", f"{_name(alg)}, {op}, {_plural(tfms)}, mode={mode}",
                  f"  base: {good[0].driver(BASE)}", f"  test: {good[0].driver(TEST)}",
                  f"  core to core and back: {_distances(group)}",
                  "  base/test, by requests in flight; +- half the interquartile range",
                  f"  {'bytes':>6} {'base ns':>13}" + "".join(f"{depth:>12}" for depth in depths)]
        for length, by_depth in by_len.items():
            base = [r.ns(BASE) for r in by_depth.values() if r]
            text = f"{statistics.median(base):.0f}" if base else "failed"
            row = f"  {_size(length):>6} {text:>13}"
            for depth in depths:
                result = by_depth.get(depth)
                row += f"{result.ratio():>7.2f}+-{result.ratio_spread():.2f} " if result else f"{'failed':>12}"
            lines.append(row.rstrip())
    return lines


def cost(results, length=1408):
    """What a packet of a size costs, and whom."""
    lines = []
    for (alg, op, tfms, mode), by_len in _rows(results).items():
        by_depth = {depth: r for depth, r in by_len.get(length, {}).items() if r}
        if tfms != 1 or not by_depth:
            continue
        lines += ["", f"{_name(alg)}, {op}, {_size(length)} B, mode={mode}: ns per packet",
                  f"  {'in flight':>9} {'base wall':>15} {'test wall':>15} {'submit':>8}"
                  f" {'complete':>8} {'helper':>8} {'CPU sum':>8} {'of base':>8} {'offloaded':>9}"]
        for depth, r in by_depth.items():
            helper = (r.helper_ns() or 0) * r.offloaded()
            submit, complete = r.ns(TEST, "submit_ns"), r.ns(TEST, "complete_ns")
            total = r.cpu_ns(TEST)
            base, test = (f"{r.ns(side):.0f}+-{r.ns_spread(side):.0f}" for side in (BASE, TEST))
            lines.append(f"  {depth:>9} {base:>15} {test:>15} {submit:>8.0f} {complete:>8.0f}"
                         f" {helper:>8.0f} {total:>8.0f} {total / r.cpu_ns(BASE):>7.2f}x"
                         f" {100 * r.offloaded():>8.0f}%")
    return lines


WAYS = {("gateway", "encrypt"): "encapsulation, forwarded",
        ("flow", "encrypt"): "encapsulation, forwarded by a flowtable",
        ("host", "encrypt"): "encapsulation, a socket's own",
        ("gateway", "decrypt"): "decapsulation, forwarded",
        ("flow", "decrypt"): "decapsulation, forwarded by a flowtable",
        ("interface", "decrypt"): "decapsulation, forwarded by an XFRM interface"}
WHAT = ("aead", *dict.fromkeys(what for what, _ in WAYS))


def refuse_unknown_ways(parser, args):
    """End with an error where there is no such tunnel."""
    if args.what == "aead":
        return
    if (args.what, args.op) not in WAYS:
        parser.error(f"there is no --what {args.what} that would {args.op}")
    if args.alg not in plan.TUNNELS:
        parser.error(f"there is no tunnel with {args.alg}, only with {', '.join(plan.TUNNELS)}")


def tunnels(results, throughput):
    """Through XFRM; what XFRM itself takes, by what cryptography alone takes, and so the
    ratio at best: if cryptography took no time at all."""
    crypto = {(r.cell.alg, r.cell.op, r.cell.len): r.ns(BASE) for r in throughput
              if r and r.cell.depth == 1 and r.cell.tfms == 1}
    groups = {}
    for result in results:
        cell = result.cell
        groups.setdefault((cell.alg, cell.what, cell.op), []).append(result)
    lines = []
    for (alg, what, op), group in groups.items():
        lines += ["", f"{_name(alg)}, one tunnel, {WAYS[what, op]}: ns per packet",
                  f"  core to core and back: {_distances(group)}",
                  f"  {'bytes':>6} {'in flight':>9} {'base':>13} {'test':>13} {'base/test':>13}"
                  f" {'submit':>8} {'complete':>8} {'XFRM itself':>12} {'at best':>8}"]
        for r in group:
            row = f"  {_size(r.cell.len):>6} {r.cell.depth:>9}"
            if not r:
                lines.append(f"{row} failed")
                continue
            base, test = (f"{r.ns(side):.0f}+-{r.ns_spread(side):.0f}" for side in (BASE, TEST))
            row += (f" {base:>13} {test:>13} {r.ratio():>7.2f}+-{r.ratio_spread():.2f} "
                    f"{r.ns(TEST, 'submit_ns'):>8.0f} {r.ns(TEST, 'complete_ns'):>8.0f}")
            alone = crypto.get((alg, op, r.cell.len))
            if alone:
                xfrm = r.ns(BASE) - alone
                row += f" {xfrm:>12.0f} {r.ns(BASE) / xfrm:>8.2f}"
            lines.append(row.rstrip())
    return lines


def latency(results):
    """From when a packet was due until it was done, by how many are due."""
    groups = {}
    for result in results:
        cell = result.cell
        groups.setdefault((cell.alg, cell.op, cell.len), []).append(result)
    lines = []
    for (alg, op, length), group in groups.items():
        lines += ["", f"{_name(alg)}, {op}, {_size(length)} B: latency in ns",
                  f"  core to core and back: {_distances(group)}",
                  f"  {'packets/s':>10}" + "".join(
                      f"{f'{who} {what}':>12}" for who in ("base", "test")
                      for what in ("mean", "p50", "p99", "p99.9")) +
                  f"{'submit':>8} {'complete':>8} {'offloaded':>9}"]
        for result in group:
            if not result:
                lines.append(f"  {1e9 / result.cell.interval_ns:>10.0f} failed")
                continue
            row = f"  {1e9 / result.cell.interval_ns:>10.0f}"
            for side in (BASE, TEST):
                # one that cannot keep up has no latency, only a backlog
                late = result.ns(side) > 1.05 * result.cell.interval_ns
                for field in ("mean_ns", "p50_ns", "p99_ns", "p999_ns"):
                    row += f"{'overload' if late else round(result.median(side, field)):>12}"
            lines.append(f"{row}{result.ns(TEST, 'submit_ns'):>8.0f}"
                         f" {result.ns(TEST, 'complete_ns'):>8.0f}"
                         f" {100 * (result.offloaded() or 0):>8.0f}%")
    return lines


def worst(results):
    """The cells in which wavecrypt is slowest, compared."""
    good = sorted((r for r in results if r and r.cell.mode == "auto"), key=lambda r: r.ratio())
    lines = ["", f"Lowest base/test with mode=auto, {AUTO_AT_LEAST} at least wanted:"]
    for result in good[:8]:
        lines.append(f"  {result.ratio():.3f}+-{result.ratio_spread():.3f}  {_named(result.cell)}"
                     + ("" if result.ratio() >= AUTO_AT_LEAST else "  MISSED"))
    return lines


def idle(text):
    """What the helper takes when there is nothing to do."""
    if not text:
        return []
    ticks, per_second, seconds = (int(word) for word in text.split())
    return ["", f"Idle helper: {100 * ticks / per_second / seconds:.1f} % of a CPU"
                f" ({ticks} ticks of 1/{per_second} s in {seconds} s)"]


def everything(results):
    """Whatever there is to say of some cells."""
    aead = [r for r in results if r.cell.what == "aead"]
    paced = [r for r in aead if r.cell.interval_ns]
    saturated = [r for r in aead if not r.cell.interval_ns]
    lines = throughput(saturated)
    for length in sorted({r.cell.len for r in saturated}):
        lines += cost(saturated, length)
    lines += tunnels([r for r in results if r.cell.what != "aead"], [])
    return [*lines, *latency(paced), *retaken(results), *failures(results)]


def retaken(results):
    """How many samples of each side nobody sees, as others were taken instead."""
    sides = []
    for side, who in ((BASE, "base"), (TEST, "test")):
        tries = [sample["tries"] for r in results for sample in r.side[side]]
        sides.append(f"{who} {sum(nr > 1 for nr in tries)} of {len(tries)}")
    return ["", f"Samples taken again, nothing having completed for too long: {', '.join(sides)}"]


def failures(results):
    """What went wrong."""
    return [f"FAILED: {r.cell.what}, {_named(r.cell)}, mode={r.cell.mode}: "
            f"{'; '.join(r.errors) or nothing(r)}" for r in results if not r]
