# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Runs cells in a guest: a User-Mode Linux kernel, the module, the helper."""

import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

from figures import Result

TOP = pathlib.Path(__file__).resolve().parents[2]
# so long a guest may have the machine to itself
TURN_SECONDS = 60


def say(text):
    """Progress."""
    print(f"bench: {text}", file=sys.stderr, flush=True)


def output(*command):
    """What a command prints."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.split()


def built(what):
    """A file of selftests/bench/helper's."""
    out = TOP / "build/bench/helper"
    subprocess.run(["make", "-s", "-C", TOP / "selftests/bench/helper", f"O={out}", out / what],
                   check=True)
    return out / what


def preloaded(args):
    """The environment in which libipsec-mb knows of what it is to."""
    return [f"LD_PRELOAD={built('no_sha_ni.so')}"] if args.no_sha_ni else []


def library(args):
    """{(algorithm, direction): ns} of the lanes by themselves, and of OpenSSL's stitched."""
    environment = preloaded(args)
    if args.no_sha_ni:
        # the bit by which a processor says that it has them
        environment.append(f"OPENSSL_ia32cap=:~{1 << 29:#x}")
    words = output("env", *environment, built("suites"))
    return {(alg, op): float(ns) for alg, op, ns in zip(*[iter(words)] * 3)}


class Bench:
    """What is needed to run cells, built once."""

    def __init__(self, args):
        self.kernel = args.kernel
        self.idle = ""
        self.hide = ["--hide", "sha_ni"] if args.no_sha_ni else []
        self.environment = preloaded(args)
        (TOP / "build").mkdir(exist_ok=True)
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="bench.", dir=TOP / "build"))
        say(f"building for {self.kernel}; the first time a kernel, some minutes")
        self.module = [module for module in output(TOP / "selftests/uml/module", self.kernel,
                                                   "selftests/kmod") if "bench" in module]
        subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", "-Werror", "-o", self.dir / "pingpong",
                        TOP / "selftests/bench/pingpong.c"], check=True)
        if not args.itself:
            subprocess.run(["make", "-s", "-C", TOP, "helper"], check=True)
            self.driver, = output(TOP / "selftests/uml/module", self.kernel, "driver")
            (self.dir / "attach").write_text(
                f"{self.driver} {args.module_args}\n1 {args.helper_args}\n", encoding="utf-8")

    def close(self):
        """Leave nothing behind."""
        shutil.rmtree(self.dir)

    def turn(self, cells, around=()):
        """Run cells in one guest, under a command. Return: their results."""
        results = self.dir / "results"
        results.unlink(missing_ok=True)
        (self.dir / "cells").write_text(
            "".join(f"{i} {c.mode} {c.sides} {c.alg} {c.what} {c.spec()}\n"
                    for i, c in enumerate(cells)),
            encoding="ascii")
        under = shlex.split(os.environ.get("BENCH_UNDER", ""))
        modules = [word for module in self.module for word in ("--module", module)]
        # the longest packets, thousands of them
        mem = ("--mem", "1G") if self.kernel.endswith("-smp") else ()
        subprocess.run([*under, *around, TOP / "selftests/uml/run", self.kernel, *mem, *self.hide,
                        "--urgent", "--out", self.dir, *modules, "--", "env", *self.environment,
                        TOP / "selftests/bench/guest", self.dir], check=True)
        if (self.dir / "idle").exists():
            self.idle = (self.dir / "idle").read_text(encoding="ascii")
        lines = [[] for _ in cells]
        for line in results.read_text(encoding="utf-8").splitlines():
            index, text = line.split(" ", 1)
            lines[int(index)].append(json.loads(text))
        return [Result(cell, found) for cell, found in zip(cells, lines)]

    def run(self, what, cells):
        """Run cells, no more at a time than take a turn. Return: their results."""
        expected = sum(cell.seconds() for cell in cells)
        say(f"{what}: {len(cells)} comparisons, about {expected:.0f} s")
        begin, results = time.monotonic(), []
        while len(results) < len(cells):
            turn, seconds = [], 0.0
            for cell in cells[len(results):]:
                seconds += cell.seconds()
                if turn and seconds > TURN_SECONDS:
                    break
                turn.append(cell)
            results += self.turn(turn)
            say(f"{what}: {len(results)} of {len(cells)}, {time.monotonic() - begin:.0f} s")
        return results


def arguments(parser):
    """Those that say what a guest is made of."""
    parser.add_argument("--kernel", default="7.2-smp", help="of those that selftests/uml/build makes")
    parser.add_argument("--itself", action="store_true",
                        help="compare the kernel's drivers with themselves: shows what the method is worth")
    parser.add_argument("--no-sha-ni", action="store_true",
                        help="as on a processor without SHA instructions, the kernel and the library")
    parser.add_argument("--module-args", default="", help="parameters of the module")
    parser.add_argument("--helper-args", default="", help="more arguments for wavecryptd")
