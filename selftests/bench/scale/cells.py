# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""What is measured: which cell of which experiment, on how many CPUs."""

import dataclasses

NAMES = {"cbc-sha1": "authenc(hmac(sha1),cbc(aes))", "cbc-sha256": "authenc(hmac(sha256),cbc(aes))",
         "gcm": "rfc4106(gcm(aes))"}
SAS = (1, 128, 1250)
# What a helper has besides lanes: the settings for that
BACKENDS = {"lanes": ("backend=cpu",), "GPU": ("backend=opencl", "balance=no"), "both": ("backend=opencl",)}
# A GPU wants thousands of packets, and has them for a millisecond: so many SAs of each CPU, and in
# flight of them together; room for them in its queue, and the module's latency_us
DEEP = {"tfms": 4, "depth": 2048}
ROOMY = {"entries": 4096, "latency_us": 4000}
# tunnels made before wavecrypt was loaded are the first ones, those made after these
TUNNELS_AFTER = 100
# Those of one flow, by algorithm; out of others packets come by an XFRM interface
ONE_FLOW = {"cbc-sha1": 70, "cbc-sha256": 71, "gcm": 72}
BY_INTERFACE = 10
# of TCP, so that ESP fits into 1500 bytes
MSS = 1360
# Tunnels of sockets, which are between gateways of their own
TCP = {"cbc-sha1": 1, "cbc-sha256": 2, "gcm": 3}
# Their devices hand over several segments at a time, or one; and gather those that come in, or not
SEGMENTS = {"GSO": ("on", "off"), "neither": ("off", "off"), "GSO, GRO": ("on", "on")}


@dataclasses.dataclass(frozen=True)
class Room:
    """How a machine's CPUs are divided: ringers first, workers last, who submits between."""

    cpus: int
    # how many workers to measure with; 0: few, and many
    only: int = 0
    # interrupts take no signal
    light: bool = False
    # how many ringers; 0: as many as such a machine wants
    ringing: int = 0

    @property
    def ringers(self):
        """CPUs of the guest that do nothing but ring. Two may be one core's, and leave no other half of it."""
        if self.ringing:
            return list(range(self.ringing))
        if self.cpus < 4:
            return []
        if self.light and self.cpus >= 8:
            return [0, 1]
        return list(range(1 if self.cpus < 32 else 3))

    @property
    def left(self):
        """CPUs for those who submit and for workers."""
        return self.cpus - len(self.ringers)

    @property
    def workers(self):
        """How many of them to measure with."""
        return [self.only] if self.only else sorted({max(1, self.left // 5), max(1, self.left * 46 // 100)})

    def worker_cpus(self, workers):
        """Where these are."""
        return list(range(self.cpus - workers, self.cpus))

    def crowds(self, workers):
        """How many CPUs may submit, then: powers of two, and all that there are."""
        most = max(1, self.left - workers)
        found = [1 << i for i in range(most.bit_length())]
        return [*(found[:-1] if 5 * found[-1] > 4 * most else found), most]

    @property
    def hosts(self):
        """CPUs for a client, two gateways and a server, as far as there are."""
        most = max(1, self.left - self.workers[0])
        return [len(self.ringers) + i % most for i in range(4)]

    @property
    def beside(self):
        """A CPU that does what comes behind the first who submits, on another core. None if there is none."""
        cpu = len(self.ringers) + 2
        return cpu if cpu < self.cpus - self.workers[0] else None


@dataclasses.dataclass(frozen=True)
class Times:
    """Milliseconds: settling, warming up, and measuring; and how often. Of a connection: seconds,
    after so many that do not count."""

    settle: int = 500
    warm: int = 150
    slice: int = 250
    samples: int = 2
    transfer: int = 2
    omit: int = 1

    def words(self, samples):
        """For a specification: times as many samples."""
        return (f"settle_us={self.settle}000 warm_us={self.warm}000 slice_us={self.slice}000 "
                f"samples={samples * self.samples}")


@dataclasses.dataclass
class Cell:
    """One comparison with the kernel's own driver, on as many CPUs in all."""

    experiment: str
    workers: int
    mode: str
    cpus: int
    alg: str = "cbc-sha1"
    op: str = "encrypt"
    more: dict = dataclasses.field(default_factory=dict)
    backend: str = "lanes"
    # of each queue, if not what was asked for
    entries: int = 0
    latency_us: int = 1000
    # times as many samples as others, where they differ most
    times: int = 1

    def at(self):
        """What distinguishes it."""
        found = dataclasses.asdict(self)
        return {**found.pop("more"), **found}

    def spec(self, room, base, times):
        """For wavecrypt_bench. @base: the kernel's driver"""
        alone = self.experiment == "one flow" or self.experiment.endswith(" alone")
        others = 0 if alone else min(self.workers, room.left - self.cpus)
        words = {"alg": self.alg, "op": self.op, "len": 1408, "depth": 256, "burst": 32, "cpus": self.cpus,
                 "base_cpus": self.cpus + others,
                 "first": len(room.ringers), "base": base, "test": NAMES[self.alg], **self.more}
        way = words.pop("way", "")
        if words.pop("routes", "") or way:
            number = 0 if not way else ONE_FLOW[self.alg] + BY_INTERFACE * ("interface" in way)
            words.update(what="gateway", base=f"10.1.{number}.2", test=f"10.1.{number + TUNNELS_AFTER}.2")
        return " ".join(f"{name}={value}" for name, value in words.items()) + " " + times.words(self.times)


def own(room, workers, quick):
    """An SA for each CPU; in the end workers' CPUs submit as well."""
    found = []
    for crowd in room.crowds(workers)[-1:] if quick else room.crowds(workers):
        found += [Cell("own", workers, "auto", crowd, alg, op)
                  for alg, op in (("cbc-sha1", "encrypt"), ("cbc-sha1", "decrypt"), ("gcm", "encrypt"))]
        found.append(Cell("own", workers, "offload", crowd))
    if not quick:
        found += [Cell("own", workers, "auto", room.left, alg) for alg in ("cbc-sha1", "gcm")]
    return found


def shared(room, workers, quick):
    """One SA that all CPUs use."""
    return [Cell("shared", workers, mode, crowd, more={"share": 1})
            for crowd in (room.crowds(workers)[-1:] if quick else room.crowds(workers)[1:])
            for mode in ("auto", "offload")]


def shared_with_room(room, workers):
    """The same with many workers, against the kernel on those CPUs alone that submit."""
    return [Cell("shared alone", workers, "auto", crowd, more={"share": 1})
            for crowd in room.crowds(workers) if 1 < crowd <= 8]


def many(room, workers, quick):
    """SAs by the thousand, on eight CPUs."""
    crowd = max(crowd for crowd in room.crowds(workers) if crowd <= 8)
    return [Cell("many", workers, "auto", crowd, more={"tfms": tfms}) for tfms in (SAS[1:2] if quick else SAS)]


def latency(room, workers, quick):
    """Packets that arrive now and then: one in so many nanoseconds on each CPU."""
    crowd = max(crowd for crowd in room.crowds(workers) if crowd <= 8)
    return [Cell("latency", workers, "auto", crowd, more={"interval_ns": interval, **way})
            for way, intervals in (({}, (24000, 8000, 4000)), ({"share": 1}, (24000, 8000)),
                                   ({"routes": "common"}, (24000, 12000)))
            for interval in (intervals[-1:] if quick else intervals)]


def tunnels(room, workers, quick, routes):
    """Through XFRM."""
    found = []
    for crowd in room.crowds(workers)[-1:] if quick else room.crowds(workers)[::2]:
        for op in "encrypt", "decrypt":
            found += [Cell(experiment, workers, "auto", crowd, op=op, more={"routes": routes})
                      for experiment in (["tunnels"] if quick or routes != "common" else ["tunnels", "tunnels alone"])]
        if crowd > 1 and not quick and routes == "common":
            found += [Cell(experiment, workers, "auto", crowd, more={"routes": routes, "share": 1},
                           times=4)
                      for experiment in ("shared tunnel", "shared tunnel alone")]
    return found


def one_flow(room, workers, quick):
    """What everybody measures: one flow through one tunnel, as a gateway may be set up for it."""
    ways = {"encrypt": ("policies", "flowtable"), "decrypt": ("policies", "interface", "interface, RPS")}
    return [Cell("one flow", workers, "auto", 1, alg, op, {"way": way, "burst": 64})
            for alg in ("cbc-sha1", "cbc-sha256", "gcm") if alg != "cbc-sha256" or not quick
            for op, all_of in ways.items() for way in all_of
            if "RPS" not in way or room.beside is not None]


def tcp(room, workers, quick):
    """And what they see: a connection between hosts behind gateways."""
    return [Cell("tcp", workers, mode, len(set(room.hosts)), alg, "both", {"number": TCP[alg], "by": by})
            for alg, mode, ways in (("cbc-sha1", "auto", SEGMENTS), ("cbc-sha1", "offload", ["GSO"]),
                                    ("cbc-sha256", "auto", ["GSO"]), ("gcm", "auto", SEGMENTS))
            for by in ways if not quick or by == "GSO" and alg != "cbc-sha256"]


def at_the_api(room, quick):
    """All that needs no tunnel, what is asked for most first."""
    few, most = room.workers[0], room.workers[-1]
    found = own(room, few, quick) + shared(room, few, quick)
    if not quick and most != few:
        found += [cell for cell in own(room, most, False) if cell.cpus >= room.crowds(most)[-1]]
        found += shared_with_room(room, most)
    return found + many(room, few, quick) + latency(room, few, quick)


def gpus(room, quick):
    """What a GPU adds, or does alone."""
    found = []
    for workers in room.workers[:1] if quick else room.workers:
        crowd = room.crowds(workers)[-1]
        for backend in BACKENDS:
            found += [Cell("gpu", workers, mode, crowd, alg, op, DEEP, backend, **ROOMY)
                      for alg, op in (("cbc-sha1", "encrypt"), ("cbc-sha1", "decrypt"), ("gcm", "encrypt"))
                      for mode in ("offload", "auto")]
            found += [Cell("gpu tunnels", workers, "auto", crowd, op=op, backend=backend,
                           more={"routes": "common", "depth": 512}, **ROOMY) for op in ("encrypt", "decrypt")]
    return found


@dataclasses.dataclass(frozen=True)
class Lanes:
    """The helper alone, over the loopback: daemons, and workers of each."""

    mix: str
    length: int
    daemons: int
    workers: int

    def commands(self, program, cpus, seconds):
        """One for each daemon. Workers have the machine's second half, players the first."""
        half = len(cpus) // 2
        for i in range(self.daemons):
            mine = range(i * self.workers, (i + 1) * self.workers)
            yield [str(word) for word in (
                program, "--json", "--no-check", "--mix", self.mix, "--length", self.length,
                "--workers", self.workers, "--players", self.workers, "--queues", self.workers,
                "--player-cpus", ",".join(str(cpus[k]) for k in mine),
                "--set", "worker-cpus=" + ",".join(str(cpus[half + k]) for k in mine),
                "--set", "entries=1024", "--batch", 256, "--time", seconds, "--warm-up", 0.4)]


def lanes(cpus, quick):
    """One daemon of all workers against many of four; and by the number of workers."""
    half = cpus // 2
    several = [(half // 4, 4)] if half >= 8 else []
    numbers = [] if quick else [(1, nr) for nr in (1, 2, 4, 8, 16, 32) if nr < half]
    return [Lanes(mix, length, daemons, workers)
            for mix in ("gcm", "cbc-sha1") for length in (64, 1408)
            for daemons, workers in (*numbers, (1, half), *several)]
