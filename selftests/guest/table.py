#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""Many SAs, by way of /dev/wavecrypt_ask: table.py grow|churn|replace|delete|full|takeover|traffic.

What an SA makes of a packet through the helper has to be what the kernel makes of it.
Exits with 1, and says why, if anything is otherwise.
"""

import contextlib
import ctypes
import errno
import fcntl
import glob
import itertools
import os
import pathlib
import resource
import signal
import struct
import subprocess
import sys
import time

ASK_DRIVER, ASK_KEY, ASK_REQUEST = (
    1 << 30 | size << 16 | ord("a") << 8 | nr
    for nr, size in ((1, 132), (2, 260), (3, 48)))
GCM, CBC = b"rfc4106-gcm-aes-wavecrypt", b"authenc-hmac-sha1-cbc-aes-wavecrypt"
ICV = 12
AAD = bytes(range(16))
SYSFS = pathlib.Path("/sys/class/misc/wavecrypt")
MODE = pathlib.Path("/sys/module/wavecrypt/parameters/mode")
PAGE = 4096
KEY_SIZE = 640
MANY = 10000
# At a time, while SAs come and go
BLOCK = 500
# What one costs does not depend on how many there are; but machines are busy, for so many blocks
# at most, and have caches.
LIKE = 3
BUSY = 20
# The module wakes a helper that sleeps no sooner after a key has gone, for all that go until then.
WAKE_S = 0.01
# A control group's memory is tried in steps of this.
STEP = 1 << 20
# Pages of its program that the helper comes to meanwhile, and what is not yet counted
OTHERS = 100


class Sa:
    """A transform with a key of its own."""

    numbers = itertools.count(1)

    def __init__(self, driver=GCM):
        self.number = next(self.numbers)
        self.file = os.open("/dev/wavecrypt_ask", os.O_RDWR | os.O_CLOEXEC)
        key = struct.pack("<QQI", self.number, ~self.number & (1 << 64) - 1, self.number)
        if driver == CBC:
            key = struct.pack("=HH", 8, 1) + struct.pack(">I", 16) + key + key[:16]
        fcntl.ioctl(self.file, ASK_DRIVER, struct.pack("128sI", driver, ICV))
        fcntl.ioctl(self.file, ASK_KEY, struct.pack("I256s", len(key), key))

    def encrypt(self):
        """A packet of its own, encrypted."""
        data = AAD + struct.pack("<Q", self.number) * 8
        source = ctypes.create_string_buffer(data, len(data))
        to = ctypes.create_string_buffer(len(data) + ICV)
        fcntl.ioctl(self.file, ASK_REQUEST,
                    struct.pack("QQIIII16s", ctypes.addressof(source), ctypes.addressof(to),
                                len(data), len(to), len(AAD), 1, AAD[8:] + AAD[:8]))
        return to.raw

    def close(self):
        """It goes, and its key."""
        os.close(self.file)


def expect(wanted, got, what):
    """Both are the same, or this is the end."""
    if wanted != got:
        sys.exit(f"{what}: wanted {wanted}, got {got}")


def counted(pattern):
    """Sum of the module's counters of that name."""
    return sum(int(file.read_text()) for file in SYSFS.glob(pattern))


def offloaded():
    """Packets that the helper has encrypted."""
    return counted("rfc4106-gcm-aes.encrypt/requests_offloaded")


def full():
    """Requests that found no slot or no place for their key."""
    return counted("queue*/full")


def encrypt_all(sas, mode):
    """A packet of each."""
    MODE.write_text(mode)
    return [sa.encrypt() for sa in sas]


def by_helper(sas):
    """All packets are the helper's, and right."""
    wanted = encrypt_all(sas, "inline")
    before = offloaded()
    expect(True, encrypt_all(sas, "offload") == wanted, "the packets are the kernel's")
    expect(len(sas), offloaded() - before, "packets by the helper")


def helper():
    """Its process."""
    for comm in glob.glob("/proc/[0-9]*/comm"):
        # Others may end meanwhile.
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if pathlib.Path(comm).read_text().strip() == "wavecryptd":
                return comm.split("/")[2]
    sys.exit("there is no helper")


def pages_mapped():
    """Of files and devices, in the helper; the key table's are there as they are used."""
    status = pathlib.Path(f"/proc/{helper()}/status").read_text()
    return int(status.split("RssFile:")[1].split()[0]) * 1024 // PAGE


def grow():
    """The table has as many pages as there are keys for, and each key is found."""
    sas, first = [], None
    for nr in (1, 10, 100, 1000, MANY):
        before = full()
        sas += [Sa() for _ in range(nr - len(sas))]
        by_helper(sas)
        first = first or pages_mapped()
        more, needed = pages_mapped() - first, (nr - 1) * KEY_SIZE // PAGE
        print(f"{nr} SAs: {more} pages more than for one")
        expect(True, abs(more - needed) <= OTHERS, f"about {needed} pages more")
        expect(before, full(), "full")


def churn():
    """SAs come and go by the thousand, and places are used again."""
    before, first = full(), pages_mapped()
    for _ in range(MANY // BLOCK):
        sas = [Sa() for _ in range(BLOCK)]
        by_helper(sas)
        for sa in sas:
            sa.close()
    expect(before, full(), "full")
    print(f"{MANY} SAs came and went: {pages_mapped() - first} pages more than before")
    # They had the same places, one after another.
    expect(True, pages_mapped() - first <= BLOCK * KEY_SIZE // PAGE + OTHERS, "few pages more")


def replaced(sas):
    """Seconds for each of a block of them, spread over all, to go after its successor has come
    and encrypted something."""
    start = time.monotonic()
    for i in range(0, len(sas), len(sas) // BLOCK):
        old, sas[i] = sas[i], Sa()
        sas[i].encrypt()
        old.close()
    return (time.monotonic() - start) / BLOCK


def filled(sas, nr):
    """With others, each of which has encrypted something, they are so many."""
    for _ in range(nr - len(sas)):
        sas.append(Sa())
        sas[-1].encrypt()
    return sas


def replace():
    """It takes no longer where there are many than where there are few. Others use the machine,
    too, and maybe for longer than three blocks take: so the many have time for some more."""
    before, packets, sas = full(), offloaded(), []
    few = [replaced(filled(sas, MANY // 10)) for _ in range(3)]
    many = [replaced(filled(sas, 2 * MANY))]
    while min(many) >= LIKE * min(few) and len(many) < BUSY:
        many.append(replaced(sas))
    expect(2 * MANY + len(few + many) * BLOCK, offloaded() - packets, "packets by the helper")
    expect(before, full(), "full")
    print(f"figure: an SA is replaced in {min(few) * 1e6:.0f} us, of {MANY // 10},"
          f" and {min(many) * 1e6:.0f} us, of {2 * MANY}, in {len(many)} blocks")
    expect(True, min(many) < LIKE * min(few), f"less than {LIKE} times as long")


def woken():
    """How often work has woken the helper."""
    said = subprocess.run(["build/helperd/wavecryptctl", "metrics"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return sum(int(line.split()[-1]) for line in said.splitlines()
               if line.startswith("wavecrypt_worker_wakeups_total"))


def delete():
    """A helper that sleeps is woken for those that went lately, not for each."""
    sas = [Sa() for _ in range(MANY // 10)]
    by_helper(sas)
    time.sleep(1)
    before, start = woken(), time.monotonic()
    for sa in sas:
        sa.close()
    took = time.monotonic() - start
    # Keys go a grace period later, some at a time: on an idle machine that takes longer.
    time.sleep(1)
    times, most = woken() - before, (time.monotonic() - start) / WAKE_S + 2
    print(f"figure: {len(sas)} SAs were deleted in {took * 1000:.0f} ms, the helper woken {times} times")
    expect(True, 1 <= times <= most, f"few times, {most:.0f} at most")


def too_many():
    """The table is full: who has no place is counted, and gets the one that is freed."""
    places = int(pathlib.Path("/sys/module/wavecrypt/parameters/keys").read_text())
    sas = [Sa() for _ in range(places)]
    by_helper(sas)
    late = [Sa() for _ in range(3)]
    wanted = encrypt_all(late, "inline")
    before, packets = full(), offloaded()
    for _ in range(5):
        expect(True, encrypt_all(late, "offload") == wanted, "the packets are the kernel's")
    expect(15, full() - before, "requests that found it full")
    expect(packets, offloaded(), "packets by the helper")
    # A place becomes free, and is looked for again a second after it was last in vain.
    sas.pop().close()
    end = time.monotonic() + 30
    while offloaded() == packets:
        expect(True, time.monotonic() < end, "a place within 30 s")
        late[0].encrypt()
    by_helper([late[0]])
    before = full()
    late[1].encrypt()
    expect(1, full() - before, "requests that found it full again")


def take_over(room):
    """Exit status of who would take over from the helper, and may have so much memory."""
    group = pathlib.Path("/sys/fs/cgroup/takeover")
    group.mkdir()
    (group / "memory.max").write_text(str(room))
    status = subprocess.run(
        ["sh", "-c", f"echo $$ >{group}/cgroup.procs; exec build/selftests/abuse replace 16"],
        check=False).returncode
    group.rmdir()
    return status


def takeover():
    """Where there is no memory for a channel, or for the keys of all SAs, nothing changes."""
    sas = [Sa() for _ in range(MANY)]
    by_helper(sas)
    room, last, pid = 2 * STEP, sas[-100:], helper()
    while status := take_over(room):
        expect(errno.ENOMEM, status, f"with {room} bytes")
        expect(["live", pid], [(SYSFS / name).read_text().strip() for name in ("state", "helper_pid")],
               f"with {room} bytes")
        by_helper(last)
        room += STEP
    print(f"figure: taken over with {room} bytes")
    # So some of those in vain had memory for all but the keys.
    expect(True, room > MANY * KEY_SIZE, "that is more than the keys")


def traffic():
    """Until told to end: the same SAs again and again."""
    going = True

    def end(*_):
        nonlocal going
        going = False

    signal.signal(signal.SIGTERM, end)
    sas = [Sa(CBC) for _ in range(4)]
    wanted = [sa.encrypt() for sa in sas]
    rounds = 0
    while going:
        rounds += 1
        expect(True, [sa.encrypt() for sa in sas] == wanted, "the packets as ever")
    print(f"{rounds} rounds of traffic")


if __name__ == "__main__":
    resource.setrlimit(resource.RLIMIT_NOFILE, (3 * MANY, 3 * MANY))
    {"grow": grow, "churn": churn, "replace": replace, "delete": delete, "full": too_many,
     "takeover": takeover, "traffic": traffic}[sys.argv[1]]()
