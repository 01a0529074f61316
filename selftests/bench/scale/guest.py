# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""A User-Mode Linux guest with many CPUs, wavecrypt in it, and its helper on the host."""

import contextlib
import ctypes
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time

import machine

# Where a guest's memory is: many mappings of a file there, and it is written to.
MEMORY = "/dev/shm"
NO_RANDOMISATION = 0x0040000
# What a kernel's log must not have. That a helper stalled is among what is counted.
SPLAT = re.compile(r"WARNING:|BUG|Oops|Call Trace|detected stall|soft lockup|INFO: task|Kernel panic|segfault|broke", re.I)
COUNTERS = ("requests_inline", "requests_offloaded", "redone", "bells", "full", "stalls")
OF_WORKERS = ("packets", "retries", "chunks", "bells", "busy_ns")
OF_DEVICES = ("packets", "chunks", "failed", "runs", "packed")


class Trouble(Exception):
    """Something does not work that everything else depends on."""


def _fixed_addresses():
    """Modules are linked to the kernel by 32-bit offsets; see selftests/uml/run."""
    ctypes.CDLL(None).personality(NO_RANDOMISATION)
    os.setpgid(0, 0)


class Helper:
    """wavecryptd on the host, with a device that is in the guest."""

    def __init__(self, guest, workers, cpus, settings, patience):
        self.guest, self.workers = guest, workers
        self.control = guest.job / "control"
        self.log = guest.job / "helper.log"
        vendors, cache = guest.job / "vendors", guest.job / "cache"
        vendors.mkdir(exist_ok=True)
        cache.mkdir(mode=0o700, exist_ok=True)
        environment = dict(os.environ, **machine.opencl(vendors), LD_LIBRARY_PATH=str(guest.programs / "lib"),
                           LD_PRELOAD=str(guest.programs / "shim.so"), RIG_PID=str(guest.kernel.pid),
                           RIG_FILE=str(guest.job / "attach"), RIG_CPUS=str(guest.job / "cpus"))
        command = [guest.programs / "wavecryptd", "--foreground"]
        for setting in ("lock-memory=no", "seccomp=no", f"workers={workers}",
                        "worker-cpus=" + ",".join(map(str, cpus)), f"control-socket={self.control}",
                        f"opencl-cache={cache}", *settings):
            command += ["--set", setting]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log,  # pylint: disable=consider-using-with
                                            stderr=subprocess.STDOUT, env=environment)
        self._ready(patience)

    def _ready(self, patience):
        end = time.monotonic() + patience
        while f"worker {self.workers - 1}:" not in self.said() or self._lacks_devices():
            if self.process.poll() is not None or time.monotonic() > end:
                self.process.kill()
                raise Trouble(f"the helper did not become ready: {self.said()[-2000:]}")
            time.sleep(0.02)

    def _lacks_devices(self):
        """It goes on without a device that takes long to be ready."""
        return not all(device["there"] for device in self._asked("devices"))

    def said(self):
        """Its log."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def _asked(self, what):
        try:
            with socket.socket(socket.AF_UNIX) as control:
                control.connect(str(self.control))
                control.sendall(b"status\n")
                with control.makefile(encoding="utf-8") as answer:
                    return json.load(answer)[what]
        except (OSError, ValueError) as error:
            raise Trouble(f"the helper does not answer ({error}; ended: {self.process.poll()}): "
                          f"{self.said()[-2000:]}") from error

    def status(self):
        """What it says of its workers, all of them together."""
        workers = self._asked("workers")
        return {**{name: sum(worker[name] for worker in workers) for name in OF_WORKERS},
                **{f"device_{name}": sum(worker.get("device", {}).get(name, 0) for worker in workers)
                   for name in OF_DEVICES}}

    def stop(self):
        """Let it finish and detach."""
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise Trouble("the helper did not stop") from None


class Guest:
    """The guest. Commands are run in it one by one."""

    def __init__(self, programs, cpus, pins, memory="1G", patience=60, light_ipi=0):
        self.programs, self.cpus, self.patience = programs, cpus, patience
        self.helper = None
        self.commands = 0
        self.splats = []
        self.directory = tempfile.TemporaryDirectory(prefix="bench-scale.")  # pylint: disable=consider-using-with
        self.job = pathlib.Path(self.directory.name)
        (self.job / "seed").write_bytes(os.urandom(64))
        (self.job / "cpus").write_text(f"0-{cpus - 1}\n", encoding="ascii")
        if light_ipi and b"light-ipi=" not in (programs / "linux").read_bytes():
            raise Trouble("this guest's kernel knows no light interrupts: build with KERNEL=7.2-scale")
        command = [programs / "linux", f"mem={memory}", f"ncpus={cpus}", "seccomp=on", "root=none", "rootfstype=hostfs",
                   f"rootflags={programs / 'root'}", "ro", "init=/init", f"job={self.job}",
                   "pin=" + ",".join(map(str, pins)), "con0=null,fd:1", "con=null", "loglevel=5", "panic=-1",
                   "log_buf_len=4M", "kmemleak=off", f"light-ipi={light_ipi}"]
        self.kernel = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,  # pylint: disable=consider-using-with
                                       stderr=subprocess.STDOUT, env=dict(os.environ, TMPDIR=MEMORY),
                                       preexec_fn=_fixed_addresses)
        self.console = []
        threading.Thread(target=self._console, daemon=True).start()
        self._wait("ready", patience)

    def _console(self):
        for line in self.kernel.stdout:
            self.console.append(line.decode(errors="replace"))

    def _wait(self, name, patience):
        end = time.monotonic() + patience
        while not (self.job / name).exists():
            if self.kernel.poll() is not None or time.monotonic() > end:
                raise Trouble(f"the guest: no {name}: " + "".join(self.console[-30:]))
            time.sleep(0.005)

    def _read(self, name):
        return (self.job / name).read_text(encoding="utf-8", errors="replace")

    def run(self, text, patience=None, check=True):
        """Run a script. Return: what it printed, or, if it failed, what it and the kernel said."""
        number, self.commands = self.commands, self.commands + 1
        (self.job / "cmd.new").write_text(text + "\n", encoding="utf-8")
        (self.job / "cmd.new").rename(self.job / f"cmd.{number}")
        self._wait(f"rc.{number}", patience or self.patience)
        out, log = self._read(f"out.{number}"), self._read(f"dmesg.{number}")
        self.splats += [line for line in log.splitlines() if SPLAT.search(line)]
        if int(self._read(f"rc.{number}")) == 0:
            return out
        if check:
            raise Trouble(f"{text}: {out}{log[-2000:]}")
        return Failure(out + log[-2000:] or f"{text}: failed")

    def load(self):
        """wavecrypt"""
        self.run("insmod /modules/wavecrypt.ko")

    def mode(self, mode, latency_us):
        """wavecrypt's parameters"""
        self.run(f"cd /sys/module/wavecrypt/parameters; echo {latency_us} >latency_us; echo {mode} >mode")

    def attach(self, workers, cpus, ringers, settings=(), entries=512):
        """A helper on these CPUs of the host; bells are rung by these of the guest."""
        with contextlib.suppress(FileNotFoundError):
            (self.job / "attach").unlink()
        self.run(f"bridge /job/attach {entries} {' '.join(map(str, ringers))} >/job/bridge.log 2>&1 &")
        self._wait("attach", self.patience)
        self.helper = Helper(self, workers, cpus, settings, self.patience)

    def detach(self):
        """Stop the helper, and wait until the module knows."""
        helper, self.helper = self.helper, None
        if not helper:
            return
        helper.stop()
        self.run("for i in $(seq 500); do [ $(cat /sys/class/misc/wavecrypt/state) = none ] && exit; usleep 20000; done; "
                 "exit 1")

    def counters(self):
        """The module's, all CPUs together."""
        names = " ".join(COUNTERS)
        text = self.run(f"cd /sys/class/misc/wavecrypt; for n in {names}; do "
                        "echo $n $(cat */$n 2>/dev/null | awk '{ s += $1 } END { print s + 0 }'); done")
        return {name: int(value) for name, value in map(str.split, text.splitlines())}

    def measure(self, spec, patience=None):
        """What the module wavecrypt_bench says to a specification: samples, or a failure."""
        said = self.run(f"echo '{spec}' >/dev/wavecrypt_bench && cat /dev/wavecrypt_bench", patience, check=False)
        return said if isinstance(said, Failure) else [json.loads(line) for line in said.splitlines()]

    def stop(self):
        """Everything"""
        if self.helper:
            self.helper.process.kill()
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.kernel.pid, signal.SIGKILL)
        self.kernel.wait()
        self.directory.cleanup()


class Failure(str):
    """What is said of a command that failed."""
