# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""What is measured: the experiments of PIPSEA (CCS 2016) and APUNet (NSDI 2017) again."""

import dataclasses

KINDS = ("cbc-sha1-128-encrypt", "cbc-sha1-128-decrypt", "gcm-128-encrypt", "gcm-128-decrypt")
# The rest, at one size; "-128-" where a cipher has that
OTHERS = tuple(f"{name}-{op}" for op in ("encrypt", "decrypt") for name in (
    "cbc-sha256-128", "cbc-sha384-128", "cbc-sha512-128", "cbc-128", "ctr-sha1-128", "ctr-sha256-128",
    "ctr-sha512-128", "null-sha1", "null-sha256", "null-sha512", "chacha20-poly1305"))
SIZES = (64, 256, 512, 1024, 1408)
SCHEDULES = ("none", "algorithm", "algorithm+length", "all")
CHUNKS = (256, 512, 1024, 2048, 4096, 8192)
IN_FLIGHT = (1, 2, 4, 8)
RANGES = (16, 64, 256, 1024, 65536)
LOADS = (0.1, 0.25, 0.5, 0.75, 0.9)
DEPTHS = (1, 32, 256, 1024, 4096)
MEMORY = ("copy", "shared", "persistent")
ENTRIES = 4096


@dataclasses.dataclass(frozen=True)
class Crew:
    """Threads: workers of the daemon, players of the kernel."""

    workers: int
    players: int
    queues: int

    def args(self):
        """For wavecrypt-bench."""
        return ["--workers", self.workers, "--players", self.players, "--queues", self.queues]


ALONE = Crew(1, 1, 1)


@dataclasses.dataclass(frozen=True)
class Daemon:
    """One of those that run side by side: its GPUs by number, what else it is given, and its CPUs."""

    gpus: list
    args: list
    players: list
    workers: list

    def command(self, common):
        """Its command line, but for the program."""
        listed = {name: ",".join(map(str, getattr(self, name))) for name in ("gpus", "players", "workers")}
        return [str(arg) for arg in (
            *common, "--no-check", *self.args, "--set", "opencl-device=" + listed["gpus"],
            *deep(Crew(len(self.workers), len(self.players), 2 * len(self.players))),
            "--player-cpus", listed["players"], "--set", "worker-cpus=" + listed["workers"])]


@dataclasses.dataclass
class Several:
    """What daemons do that run at the same time."""

    at: dict
    daemons: list


@dataclasses.dataclass
class Cell:
    """One run of wavecrypt-bench: what is varied, and how that is asked for."""

    experiment: str
    at: dict
    args: list
    program: str = "wavecrypt-bench"
    checked: bool = False

    def command(self, common):
        """Its command line, but for the program."""
        quiet = [] if self.checked else ["--no-check"]
        return [str(arg) for arg in (*common, *quiet, *self.args)]


def crews(cpus):
    """Threads of each side of a comparison, on a machine with so many CPUs."""
    players = max(1, min(8, cpus // 2))
    every = max(1, cpus - cpus // 4)
    return {
        "one": Crew(1, min(4, max(1, cpus - 1)), 8),
        "two": Crew(max(1, min(2, cpus - players)), players, 8),
        "gpu": Crew(max(1, min(4, cpus - players)), players, 16),
        "same": Crew(max(1, cpus - players), players, 2 * max(1, cpus - players)),
        "cores": Crew(every, max(1, cpus - every), 2 * every),
    }


def deep(crew, depth=ENTRIES // 2):
    """As much in flight as a kernel with work for everybody has."""
    return [*crew.args(), "--set", f"entries={ENTRIES}", "--depth", depth]


def gpu(crew, *settings):
    """The GPU does everything."""
    return ["--backend", "opencl", "--set", "balance=no", *deep(crew), *settings]


def both(crew):
    """GPU and lanes share."""
    return ["--backend", "opencl", *deep(crew)]


def lanes(crew):
    """The CPU's lanes alone."""
    return ["--backend", "cpu", *deep(crew)]


def systems(cpus):
    """What is compared everywhere: name to arguments."""
    crew = crews(cpus)
    return {
        "gpu": gpu(crew["gpu"]),
        "gpu, 1 worker": gpu(crew["one"]),
        "gpu + lanes": both(crew["same"]),
        "lanes, all cores": lanes(crew["cores"]),
        "lanes, 1 core": lanes(crew["one"]),
    }


def check(cpus):
    """The results are right: every kind, any length."""
    crew = crews(cpus)["gpu"]
    what = {"any length": ["--mix", "all", "--length", "1-9000", *crew.args(), "--set", "entries=1024"]}
    for kind in KINDS + OTHERS:
        what[kind] = ["--mix", kind, *deep(crew)]
    what["imix, six kinds"] = ["--mix", "six", "--length", "imix", *deep(crew)]
    return [Cell("check", {"what": name}, ["--backend", "opencl", "--set", "balance=no", *args], checked=True)
            for name, args in what.items()]


def sizes(cpus, quick):
    """PIPSEA's figures 8 and 12: throughput by algorithm and size."""
    found = []
    for kind in KINDS[:1] if quick else KINDS:
        for size in SIZES[-1:] if quick else SIZES:
            for name, args in systems(cpus).items():
                found.append(Cell("sizes", {"kind": kind, "size": size, "system": name},
                                  [*args, "--mix", kind, "--length", size]))
    return found


def others(cpus):
    """The algorithms that PIPSEA did not have, one size, beside the lanes."""
    every = systems(cpus)
    return [Cell("others", {"kind": kind, "system": name}, [*every[name], "--mix", kind])
            for kind in OTHERS for name in ("gpu", "lanes, all cores", "lanes, 1 core")]


def full(cpus, times):
    """The GPU alone with every ring full, to be compared with the copy engines."""
    args = ["--backend", "opencl", "--set", "balance=no", *deep(crews(cpus)["gpu"], ENTRIES)]
    return [Cell("full", {"kind": kind, "time": time}, [*args, "--mix", kind])
            for time in range(times) for kind in KINDS]


def mixes(cpus):
    """The same of random lengths and of an IMIX."""
    return [Cell("mixes", {"lengths": lengths, "mix": mix, "system": name},
                 [*args, "--mix", mix, "--length", lengths])
            for lengths in ("64-1408", "imix") for mix in ("cbc-sha1", "six")
            for name, args in systems(cpus).items()]


def schedule(cpus):
    """PIPSEA's figure 9: the scheduler's parts switched on one by one, end to end."""
    crew = crews(cpus)["gpu"]
    return [Cell("schedule", {"lengths": lengths, "mix": mix, "schedule": level},
                 [*gpu(crew, "--set", f"schedule={level}"), "--mix", mix, "--length", lengths])
            for lengths in ("64-1408", "imix") for mix in ("cbc-sha1", "six") for level in SCHEDULES]


def chunks(cpus):
    """PIPSEA's figure 10: how large chunks are, and how many the GPU has at a time."""
    crew = crews(cpus)["one"]
    return [Cell("chunks", {"chunk": chunk, "in flight": nr},
                 gpu(crew, "--set", f"device-chunk={chunk}", "--set", f"device-chunks={nr}",
                     "--set", "device-chunk-kib=16384"))
            for nr in IN_FLIGHT for chunk in CHUNKS]


def ranges(cpus):
    """PIPSEA's figure 11: how finely lengths are told apart, end to end."""
    crew = crews(cpus)["gpu"]
    return [Cell("ranges", {"lengths": lengths, "range": size},
                 [*gpu(crew, "--set", f"length-range={size}"), "--mix", "six", "--length", lengths])
            for lengths in ("64-1408", "imix") for size in RANGES]


def alone(memory):
    """APUNet's figure 7: so many packets and no others, by how they get to the GPU."""
    return [Cell("alone", {"memory": way, "packets": depth},
                 ["--backend", "opencl", "--set", "balance=no", "--set", f"opencl-memory={way}", *ALONE.args(),
                  "--set", f"entries={ENTRIES}", "--depth", depth, "--batch", depth])
            for way in memory for depth in DEPTHS]


def lanes_alone():
    """The same by the lanes."""
    return [Cell("alone", {"memory": "lanes, 1 core", "packets": depth},
                 ["--backend", "cpu", *ALONE.args(), "--set", f"entries={ENTRIES}", "--depth", depth,
                  "--batch", depth]) for depth in DEPTHS]


def loads(cpus, peak):
    """PIPSEA's figure 14: latency when packets arrive at random, by share of the peak rate."""
    crew = crews(cpus)["two"]
    args = ["--backend", "opencl", *deep(crew, ENTRIES), "--burst", 32]
    return [Cell("loads", {"system": name, "load": share},
                 [*args, *more, "--gbit", f"{share * peak:.3f}"])
            for name, more in (("gpu", ["--set", "balance=no"]), ("gpu + lanes", []))
            for share in LOADS]


def tables(cpus, times):
    """Constant time against AES by tables, end to end and in turn."""
    crew = crews(cpus)["gpu"]
    return [Cell("tables", {"size": size, "aes": name, "time": time},
                 [*gpu(crew), "--length", size], program)
            for size in (64, 512, 1408) for time in range(times)
            for name, program in (("constant-time", "wavecrypt-bench"), ("tables", "wavecrypt-bench-tables"))]


def together(cpus, times):
    """Lanes and GPU together against each of them alone, with the same threads and in turn."""
    found = []
    for kind in KINDS:
        for crew in (crews(cpus)["same"], crews(cpus)["cores"]):
            how = {"gpu": gpu(crew), "lanes": lanes(crew), "gpu + lanes": both(crew)}
            found += [Cell("together", {"kind": kind, "workers": crew.workers, "system": name, "time": time},
                           [*args, "--mix", kind])
                      for time in range(times) for name, args in how.items()]
    return found


def scheduler(cpus):
    """What scheduling costs a core: the device does nothing, at once."""
    crew = crews(cpus)["one"]
    return [Cell("scheduler", {"mix": mix, "lengths": lengths},
                 ["--nothing", "--set", "balance=no", *deep(crew), "--mix", mix, "--length", lengths,
                  "--batch", 1024])
            for mix, lengths in (("cbc-sha1", "1408"), ("six", "64-1408"), ("six", "imix"))]


def merged(daemons):
    """One with the GPUs and CPUs of all."""
    return Daemon([gpu for daemon in daemons for gpu in daemon.gpus], daemons[0].args,
                  [cpu for daemon in daemons for cpu in daemon.players],
                  [cpu for daemon in daemons for cpu in daemon.workers])


# Programs that run side by side have not begun at the same moment.
TOGETHER_S = 1.5


def several(cpus, gpus, times, seconds):
    """One daemon with several GPUs, beside each of them, a daemon for each, and the lanes of the same CPUs."""
    share = len(cpus) // gpus
    mine = [cpus[i * share:(i + 1) * share] for i in range(gpus)]
    few, many, players = min(4, share // 2), share - share // 2, min(8, share // 2)

    def apart(kind, workers, *args):
        return [Daemon([i], [*args, "--mix", kind, "--time", max(seconds, TOGETHER_S), "--warm-up", TOGETHER_S],
                       slots[-players:], slots[:workers]) for i, slots in enumerate(mine)]

    found = []
    for time in range(times):
        for kind in KINDS[::2]:
            systems = {}
            for more, each in (("", apart(kind, few, "--backend", "opencl", "--set", "balance=no")),
                               (" + lanes", apart(kind, many, "--backend", "opencl"))):
                systems.update({f"GPU {i}{more}": [each[i]] for i in range(gpus)})
                systems.update({f"a daemon each{more}": each, f"one daemon{more}": [merged(each)]})
            systems["lanes"] = [merged(apart(kind, many, "--backend", "cpu"))]
            found += [Several({"kind": kind, "time": time, "system": name}, daemons)
                      for name, daemons in systems.items()]
    return found
