# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Samples to figures: medians, spreads, ratios."""

import statistics

BASE, TEST = 0, 1


def per_packet(samples, field):
    """What a packet took, by each sample."""
    return [sample[field] / sample["packets"] for sample in samples]


def spread(values):
    """Half of what the middle half of the values spans."""
    if len(values) < 3:
        return 0.0
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return (high - low) / 2


class Result:
    """What came of a cell."""

    def __init__(self, cell, lines):
        self.cell = cell
        self.errors = [line["error"] for line in lines if "error" in line]
        self.absent = any("absent" in line for line in lines)
        self.pingpong = [line["pingpong_ns"] for line in lines if "pingpong_ns" in line]
        self.side = ([line for line in lines if line.get("side") == BASE],
                     [line for line in lines if line.get("side") == TEST])
        self.helper = [line for line in lines if "workers" in line]

    def __bool__(self):
        return not self.errors and all(self.side)

    @property
    def failed(self):
        """Whether there is nothing to say of what this kernel has."""
        return not self and not self.absent

    def driver(self, side):
        """The name of the implementation that a side turned out to be."""
        return self.side[side][0]["driver"]

    def ns(self, side, field="wall_ns"):
        """The median of what a packet took."""
        return statistics.median(per_packet(self.side[side], field))

    def ns_spread(self, side, field="wall_ns"):
        """Its spread."""
        return spread(per_packet(self.side[side], field))

    def median(self, side, field):
        """The median of what each sample says as a whole."""
        return statistics.median(sample[field] for sample in self.side[side])

    def ratios(self):
        """How many times as fast the test is, by each pair of neighbours."""
        return [base / test for base, test in zip(per_packet(self.side[BASE], "wall_ns"),
                                                  per_packet(self.side[TEST], "wall_ns"))]

    def ratio(self):
        """The median of that."""
        return statistics.median(self.ratios())

    def ratio_spread(self):
        """Its spread."""
        return spread(self.ratios())

    def offloaded(self):
        """The part of the test's requests that were not done at once; None: not known."""
        if "later" not in self.side[TEST][0]:
            return None
        packets = sum(sample["packets"] for sample in self.side[TEST])
        return sum(sample["later"] for sample in self.side[TEST]) / packets

    def distance(self):
        """Nanoseconds to the other CPU and back."""
        return statistics.median(self.pingpong) if self.pingpong else None

    def cpu_ns(self, side):
        """What a packet took of all CPUs."""
        helper = (self.helper_ns() or 0) * self.offloaded() if side == TEST else 0
        return self.ns(side, "submit_ns") + self.ns(side, "complete_ns") + helper

    def helper_ns(self):
        """What the helper's backend took for a packet, by its own account."""
        if len(self.helper) != 2:
            return None
        packets, busy = (sum(worker[field] for worker in self.helper[1]["workers"]) -
                         sum(worker[field] for worker in self.helper[0]["workers"])
                         for field in ("packets", "busy_ns"))
        return busy / packets if packets else None
