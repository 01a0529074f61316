# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Where a guest's two CPUs spend their time, by sampling them from the host."""

import bisect
import collections
import dataclasses
import pathlib
import subprocess

from figures import TEST

SECONDS = 4
LINES = 30

# User-Mode Linux' own text and modules lie below, the host's kernel far above.
GUEST_END = 1 << 32


class Symbols:
    """Addresses to names."""

    def __init__(self):
        self.starts, self.names = [], []

    def add(self, pairs):
        """@pairs: (address, name)"""
        for start, name in sorted(pairs):
            self.starts.append(start)
            self.names.append(name)

    def name(self, address):
        """The last symbol that begins before an address."""
        index = bisect.bisect_right(self.starts, address) - 1
        return self.names[index] if index >= 0 else "?"

    def start(self, name):
        """Where a symbol begins."""
        return self.starts[self.names.index(name)]


def _kernel_symbols(path):
    pairs = []
    for line in path.read_text(encoding="ascii").splitlines():
        address, kind, name = line.split()[:3]
        if kind in "tTwW":
            pairs.append((int(address, 16), " ".join([name, *line.split()[3:]])))
    symbols = Symbols()
    symbols.add(pairs)
    return symbols


class Kernels:
    """The guest's addresses, and those of the host when it works for the guest."""

    def __init__(self, guest):
        self.guest = _kernel_symbols(guest)
        self.host = _kernel_symbols(pathlib.Path("/proc/kallsyms"))

    def name(self, address):
        """A symbol, if it is one of these."""
        if address < GUEST_END:
            return self.guest.name(address)
        if address >> 63:
            return f"{self.host.name(address)} [host]"
        return "[elsewhere]"


def _file_symbols(file):
    """Of an ELF file, as far as it has any; by address in the file."""
    pairs = {}
    for option in ("-D", "--defined-only"):
        text = subprocess.run(["nm", option, file], capture_output=True, text=True, check=False).stdout
        for line in text.splitlines():
            words = line.split()
            if len(words) == 3 and words[1] in "tTwW":
                pairs[int(words[0], 16)] = words[2]
    symbols = Symbols()
    symbols.add(pairs.items())
    return symbols


class Process:
    """The helper's addresses, by its memory map as the guest sees it."""

    def __init__(self, path):
        self.maps, self.symbols = [], {}
        for line in path.read_text(encoding="utf-8").splitlines():
            words = line.split(maxsplit=5)
            if len(words) == 6 and "x" in words[1] and words[5].startswith("/"):
                start, end = (int(word, 16) for word in words[0].split("-"))
                self.maps.append((start, end, int(words[2], 16), words[5]))

    def name(self, address):
        """A symbol, or at least the file."""
        for start, end, offset, file in self.maps:
            if start <= address < end:
                if file not in self.symbols:
                    self.symbols[file] = _file_symbols(file)
                name = self.symbols[file].name(address - start + offset)
                return f"{name} [{pathlib.Path(file).name}]"
        return "[elsewhere]"


def _samples(path):
    """(is it the submitting CPU's kernel thread, is it the helper, address)"""
    script = subprocess.run(["perf", "script", "-i", path, "-F", "comm,pid,tid,ip"],
                            check=True, capture_output=True, text=True).stdout
    for line in script.splitlines():
        words = line.split()
        comm, ids, address = words[0], words[-2], int(words[-1], 16)
        pid, tid = ids.split("/")
        yield comm == "linux" and pid == tid, comm.startswith("uml-user"), address


def _table(title, counts, ns):
    total = sum(counts.values())
    if not total:
        return ["", f"{title}: no samples"]
    lines = ["", f"{title}: {total} samples", f"  {'share':>7} {'ns/packet':>10}"]
    for name, count in counts.most_common(LINES):
        lines.append(f"  {100 * count / total:>6.1f}% {ns * count / total:>10.1f}  {name}")
    return lines


def _annotated(module, function, offsets, ns):
    """A function of a module, instruction by instruction. The time that one takes is
    often charged to the next."""
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", module],
                          check=True, capture_output=True, text=True).stdout
    total = sum(offsets.values())
    first, lines = None, ["", f"{function}:"]
    for line in code.splitlines():
        address, _, text = line.strip().partition(":\t")
        if not text:
            continue
        first = int(address, 16) if first is None else first
        count = offsets[int(address, 16) - first]
        share = f"{100 * count / total:5.1f}% {ns * count / total:6.1f}" if count else ""
        lines.append(f"  {share:>13}  {int(address, 16) - first:5x}  {text}")
    return lines


def profile(guests, cell, annotate=None):
    """Sample one cell, of which wavecrypt alone is run; @annotate: a function of its
    module. Return: lines of text."""
    data = guests.dir / "perf.data"
    alone = dataclasses.replace(cell, sides="test", samples=1, slice_at_least_us=SECONDS * 500000)
    around = ("perf", "record", "-q", "-a", "-e", "cycles", "-F", "9999", "-o", data, "--")
    result, = guests.turn([alone], around)
    if not result:
        return [f"FAILED: {'; '.join(result.errors)}"]

    kernel, helper = Kernels(guests.dir / "kallsyms"), None
    if (guests.dir / "maps").exists():
        helper = Process(guests.dir / "maps")
    submit, serve = collections.Counter(), collections.Counter()
    offsets, annotated = collections.Counter(), f"{annotate} [wavecrypt]"
    for is_submitter, is_process, address in _samples(data):
        if is_submitter:
            name = kernel.name(address)
            submit[name] += 1
            if name == annotated:
                offsets[address - kernel.guest.start(name)] += 1
        elif is_process and helper:
            serve[helper.name(address)] += 1
    wall = result.ns(TEST)
    return [f"{result.driver(TEST)}: {wall:.0f} ns per packet, of which submission "
            f"{result.ns(TEST, 'submit_ns'):.0f}, completion {result.ns(TEST, 'complete_ns'):.0f}; "
            f"core to core and back {result.distance():.0f} ns",
            *_table("the submitting CPU, in the kernel", submit, wall),
            *_table("the helper, in user space", serve, wall),
            *(_annotated(guests.driver, annotate, offsets,
                         wall * submit[annotated] / sum(submit.values())) if offsets else [])]
