# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""What wavecrypt is to reach on a kind of machine, and whether it does.

How far apart the two CPUs are decides much, and is not ours to choose on a virtual
machine: it changes within seconds. So everything is measured a few times over, and
said with how long a message took to the other CPU and back.
"""

import statistics
from dataclasses import dataclass
from typing import Callable

import report as tables
from figures import BASE, TEST
from plan import Cell

ROUNDS = 3
# The least of what the lanes alone do, wherever something else is not said
OF_LIBRARY = 0.85
# What extended sequence numbers may cost
ESN_AT_MOST = 1.03


@dataclass(frozen=True)
class Kind:
    """A kind of machine; @found: whether what machine.describe() says is one. ANY: all, and
    one some of whose instructions are not used."""

    name: str
    found: Callable


ZEN5 = Kind("AMD EPYC 9005", lambda where: (where["vendor"], where["family"]) == ("AuthenticAMD", "26"))
AMX = Kind("Intel Xeon, 4th generation or later",
           lambda where: where["vendor"] == "GenuineIntel" and "amx_tile" in where["flags"])
ANY = Kind("any machine", lambda where: True)


@dataclass(frozen=True)
class Target:
    """One of them; @figure makes one of what came of @cells, in their order. @wanted: by
    kind of machine, as far as there is a target for it."""

    what: str
    cells: tuple
    figure: Callable
    wanted: dict
    at_most: bool = False

    def met(self, wanted, value):
        """Whether that is good enough."""
        return value <= wanted if self.at_most else value >= wanted

    def wanted_of(self, kind):
        """What it is there, or None."""
        return self.wanted.get(kind, self.wanted.get(ANY))


def _ratio(result):
    return result.ratio()


def _cpu(result):
    return result.cpu_ns(TEST) / result.cpu_ns(BASE)


def _time(result):
    return result.ns(TEST)


def _ours(result):
    return result.ns(TEST, "submit_ns") + result.ns(TEST, "complete_ns")


def _latency(result):
    return result.median(TEST, "mean_ns") / result.median(BASE, "mean_ns")


def _like(result, other):
    """What it takes wavecrypt, by what the other takes it."""
    return result.ns(TEST) / other.ns(TEST)


def _against(result, other):
    """What it takes wavecrypt, by what the kernel's driver takes for the other."""
    return result.ns(TEST) / other.ns(BASE)


def _cell(op, length=1408, alg="cbc-sha1", **more):
    return Cell(alg, op, length, 256, **more)


def _tunnel(what, op, alg="cbc-sha1"):
    return _cell(op, alg=alg, what=what)


def _paced(op):
    """About half of what can be done."""
    return _cell(op, mode="offload", interval_ns=600)


# How many times as fast as the kernel's driver
TIMES = {("cbc-sha1", "encrypt"): {ZEN5: 4.8, AMX: 3.8},
         ("cbc-sha1", "decrypt"): {ZEN5: 3, AMX: 2},
         ("cbc-sha256", "encrypt"): {ZEN5: 4.5, AMX: 3.2},
         ("cbc-sha256", "decrypt"): {ZEN5: 2.5, AMX: 2},
         ("cbc-sha384", "encrypt"): {ZEN5: 5, AMX: 4.2},
         ("cbc-sha384", "decrypt"): {ZEN5: 4, AMX: 3.3},
         ("cbc-sha512", "encrypt"): {ZEN5: 5, AMX: 4.2},
         ("cbc-sha512", "decrypt"): {ZEN5: 4, AMX: 3.3}}


def _targets():
    for (alg, op), wanted in TIMES.items():
        plain, esn = _cell(op, alg=alg), _cell(op, alg=f"{alg}-esn")
        yield Target(f"{alg} {op}, times as fast", (plain,), _ratio, wanted)
        yield Target("the same with ESN, by without", (esn, plain), _like, {ANY: ESN_AT_MOST},
                     at_most=True)
    for length, name, wanted in ((64, "64 B", 1.9), (512, "512 B", 3.8), (0, "IMIX", 3.2)):
        yield Target(f"cbc-sha1 encrypt, {name}, times as fast", (_cell("encrypt", length),),
                     _ratio, {ZEN5: wanted})
    for length, name in ((64, "64 B"), (1408, "1408 B")):
        yield Target(f"gcm encrypt, {name}, times as fast", (_cell("encrypt", length, "gcm"),),
                     _ratio, {ZEN5: 0.98, AMX: 0.98})
    for op, cpu in (("encrypt", 0.33), ("decrypt", 0.6)):
        yield Target(f"cbc-sha1 {op}, both CPUs' time", (_cell(op),), _cpu, {ZEN5: cpu},
                     at_most=True)
        yield Target(f"cbc-sha1 {op}, submit and complete, ns", (_cell(op, mode="offload"),),
                     _ours, {ZEN5: 230}, at_most=True)
        yield Target("the same, paced, ns", (_paced(op),), _ours, {ZEN5: 350}, at_most=True)
        yield Target(f"cbc-sha1 {op}, idle latency, times", (_cell(op, interval_ns=40000),),
                     _latency, {ZEN5: 1.05, AMX: 1.05}, at_most=True)
    yield Target("cbc-sha1, a socket's own tunnel, times as fast", (_tunnel("host", "encrypt"),),
                 _ratio, {ZEN5: 2.5})
    for op, way in (("encrypt", "into"), ("decrypt", "out of")):
        for what, name in (("gateway", "forwarded"), ("flow", "by a flowtable")):
            yield Target(f"cbc-sha1, {name} {way} a tunnel, ns", (_tunnel(what, op),), _time,
                         {ZEN5: 700, AMX: 1000}, at_most=True)
            for alg in ("cbc-sha1", "cbc-sha256"):
                yield Target(f"{alg}, the same, by the kernel's GCM",
                             (_tunnel(what, op, alg), _tunnel(what, op, "gcm")), _against,
                             {ZEN5: 1, AMX: 1}, at_most=True)


TARGETS = tuple(_targets())


def cells():
    """What the targets are about, round by round"""
    return list(dict.fromkeys(cell for target in TARGETS for cell in target.cells)) * ROUNDS


def _kind(where):
    return next(kind for kind in (ZEN5, AMX, ANY)
                if kind.found(where) and (kind is ANY or not where["without"]))


def suites(results, library, where):
    """report.suites(), with what each row misses"""
    kind = _kind(where)
    took = {(r.cell.alg, r.cell.op, r.cell.depth): r.ns(TEST) for r in results if r}

    def missed(result, lanes):
        alg, op, depth = result.cell.alg, result.cell.op, result.cell.depth
        plain = took.get((alg.removesuffix("-esn"), op, depth))
        ratio, ns = result.ratio(), result.ns(TEST)
        if ratio < tables.AUTO_AT_LEAST:
            yield f"{tables.AUTO_AT_LEAST} of the kernel"
        if alg.endswith("-esn") and plain and ns > ESN_AT_MOST * plain:
            yield f"{ESN_AT_MOST} of it without ESN"
        # Few packets do not fill the lanes, and what has no ICV is not given to them unless
        # a parameter of the module says so.
        if depth < 256 or not lanes or lanes >= OF_LIBRARY * ns or \
                alg == "cbc" and not result.offloaded():
            return
        times = TIMES.get((alg.removesuffix("-esn"), op), {}).get(kind)
        if times and ratio < times:
            yield f"{times:g} times"
        # Nor is anything missed where that is not less than it takes the kernel
        if not times and lanes < OF_LIBRARY * result.ns(BASE):
            yield f"{OF_LIBRARY} of the library"

    return tables.suites(results, library, missed)


def report(results, where):
    """A line for each: what it is, in the rounds' median, least and most, and what it was
    to be; @results: of cells(); @where: machine.describe()"""
    kind, found = _kind(where), {}
    for result in results:
        found.setdefault(result.cell, []).append(result)
    lines = ["", f"Targets of {kind.name}",
             "1408 B, one SA, 256 in flight, if not said; CPU to CPU and back in ns",
             f"  {'':<48}{'target':>8} {'':<8}{'is':>7} {'':<16}distance"]
    for target in TARGETS:
        seen = list(zip(*(found[cell] for cell in target.cells)))
        bad = [r for some in seen for r in some if not r]
        if bad:
            lines.append(f"  {target.what:<48}  {tables.nothing(bad[0])}")
            continue
        values = [target.figure(*some) for some in seen]
        value, wanted = statistics.median(values), target.wanted_of(kind)
        digits = 0 if value >= 20 else 2
        distances = [r.distance() for some in seen for r in some if r.distance()]
        sign = "<=" if target.at_most else ">="
        lines.append((f"  {target.what:<48}"
                      + (f"{f'{sign} {wanted:g}':>8} " if wanted else f"{'':>9}")
                      + f"{'' if not wanted or target.met(wanted, value) else 'MISSED':<8}"
                      + f"{value:>7.{digits}f} "
                      + f"{f'{min(values):.{digits}f} to {max(values):.{digits}f}':<16}"
                      + (f"{min(distances):.0f} to {max(distances):.0f}" if distances else "")
                      ).rstrip())
    return lines
