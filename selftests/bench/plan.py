# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""What to measure: cells, each a specification for the module wavecrypt_bench."""

from dataclasses import dataclass

ALGS = ("cbc-sha1", "gcm")
# All that tunnels use, each with ESN right after what it is held against; there is no ESN
# without an ICV
_EVERY = tuple(name for alg in (*(f"{cipher}-sha{bits}" for cipher in ("cbc", "ctr", "null")
                                  for bits in (1, 256, 384, 512)), "gcm", "chacha20-poly1305", "cbc")
               for name in (alg, f"{alg}-esn") if name != "cbc-esn")
# Those that do not have all the tables
SUITES = tuple(alg for alg in _EVERY if alg not in ALGS)
# Those that selftests/bench/guest makes tunnels of
TUNNELS = ("cbc-sha1", "cbc-sha256", "gcm")
OPS = ("encrypt", "decrypt")
# bytes of payload; 0 is the Internet mix: 61.22 % 60, 23.47 % 536, 15.31 % 1360
LENS = (64, 128, 256, 512, 1024, 1408, 4096, 9000, 0)
DEPTHS = (1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096)
DEPTHS_OF_SEVERAL = (4, 64, 256)
MEAN_OF_MIX = 371


@dataclass(frozen=True)
class Cell:
    """One comparison of the kernel's driver with wavecrypt's."""

    alg: str
    op: str
    len: int
    depth: int
    tfms: int = 1
    mode: str = "auto"
    samples: int = 5
    interval_ns: int = 0
    what: str = "aead"
    # both; or test: one is compared with itself, to have it alone; or pcrypt: that around
    # the kernel's
    sides: str = "both"
    slice_at_least_us: int = 4000
    # every second packet is another flow's, with so many bytes
    other_len: int = 0

    def slow_ns(self):
        """About how long a packet takes where it takes long: not measured."""
        return (200 if self.what == "aead" else 2500) + 2 * (self.len or MEAN_OF_MIX)

    def slice_us(self):
        """Long enough for a queue to turn over some times, or for percentiles."""
        if self.interval_ns:
            return max(20000, 2000 * self.interval_ns // 1000)
        return max(self.slice_at_least_us, 4 * self.depth * self.slow_ns() // 1000)

    def settle_us(self):
        """Long enough for a router to find out what is best."""
        return 400000 if self.mode == "auto" else 0

    def warm_us(self):
        """Long enough for a helper to wake up, and for its queue to be as full as it stays."""
        return max(10000, self.slice_us() // 4)

    def gap_us(self):
        """Longer than any burst takes, and shorter than others get a CPU for."""
        return 300 + 64 * self.slow_ns() * 3 // 2000

    def seconds(self):
        """About how long the cell takes."""
        packets = max(512, 2 * self.depth)
        verify = 8 * packets * self.slow_ns() * 1e-9
        samples = self.samples * (self.slice_us() + self.warm_us())
        return 2 * (self.settle_us() + samples) * 1e-6 + verify + 0.05

    def spec(self):
        """As the module reads it, what selftests/bench/guest adds apart."""
        return (f"op={self.op} len={self.len} other_len={self.other_len} depth={self.depth} tfms={self.tfms} "
                f"samples={self.samples} settle_us={self.settle_us()} warm_us={self.warm_us()} "
                f"slice_us={self.slice_us()} interval_ns={self.interval_ns} "
                f"gap_us={self.gap_us()}")


def throughput(quick, itself):
    """As fast as it goes, at every queue depth."""
    lens = (64, 512, 1408, 0) if quick else LENS
    depths = (1, 4, 16, 64, 256, 4096) if quick else DEPTHS
    cells = [Cell(alg, op, length, depth)
             for alg in ALGS for op in OPS for length in lens for depth in depths]
    if not quick:
        cells += [Cell(alg, op, length, depth, 4)
                  for alg in ALGS for op in OPS for length in lens
                  for depth in DEPTHS_OF_SEVERAL]
    if not itself:
        # what the router chose from
        cells += [Cell(alg, op, 1408, depth, 1, mode)
                  for alg in ALGS for op in OPS for mode in ("inline", "offload")
                  for depth in depths]
    return cells


def suites(quick):
    """Whatever peers insist on."""
    return [Cell(alg, op, 1408, depth, samples=9) for depth in ((256,) if quick else (1, 16, 256, 1024))
            for alg in _EVERY for op in OPS]


def tunnels(quick, depths=(1, 32, 256, 1024)):
    """Through XFRM: forwarded by a gateway, or a host's own packets."""
    lens = (64, 1408) if quick else (64, 512, 1408, 4096, 0)
    depths = (256,) if quick else depths
    return [Cell(alg, op, length, depth, what=what)
            for alg in TUNNELS for what, op in (("gateway", "encrypt"), ("flow", "encrypt"),
                                             ("host", "encrypt"), ("gateway", "decrypt"),
                                             ("flow", "decrypt"), ("interface", "decrypt"))
            for length in lens for depth in depths if length == 1408 or depth == 256]


def latency(quick, peaks):
    """At 10 % steps of a peak; @peaks: (alg, op, len) to ns per packet there."""
    steps = (1, 25, 50, 75, 90) if quick else (1, 10, 20, 30, 40, 50, 60, 70, 80, 90, 100)
    return [Cell(alg, op, length, 1024, samples=3,
                 interval_ns=max(1, round(ns * 100 / percent)))
            for (alg, op, length), ns in peaks.items() if length == 1408 or not quick
            for percent in steps]
