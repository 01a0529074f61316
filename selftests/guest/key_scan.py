#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""key_scan.py collect PID FILE AES-KEY...
key_scan.py find PID FILE

Looks for secrets in the memory of a helper, all that it has mapped: its own, and
what it shares with the module. "collect" finds the entries of the key table that
hold these AES keys (in hexadecimal) and writes to FILE what else would give them
away: round keys both ways, HMAC's states, GHASH's key. "find" prints how often
any of that is where, "shared N own N".
"""

import struct
import sys

# struct wavecrypt_key
ENTRY = struct.Struct("<IHH8x240s240s16s20s44x20s44x")
DEVICE = "/dev/wavecrypt"
PAGE = 4096
# As much as an entry has, of what may be zeros
MARGIN = 1024


def mappings(pid):
    with open(f"/proc/{pid}/maps", encoding="ascii") as maps:
        for line in maps:
            fields = line.split(maxsplit=5)
            name = fields[5].strip() if len(fields) > 5 else ""
            if fields[1][0] == "r" and not name.startswith("[v"):
                begin, end = (int(x, 16) for x in fields[0].split("-"))
                yield begin, end - begin, name == DEVICE


def pieces(data):
    """What is not zeros, which are most of it, and which take find() long at times"""
    zeros = bytes(PAGE)
    begin = None
    for at in range(0, len(data), PAGE):
        if data[at:at + PAGE] == zeros[:len(data) - at]:
            if begin is not None:
                yield data[begin:at + MARGIN]
            begin = None
        elif begin is None:
            begin = max(at - MARGIN, 0)
    if begin is not None:
        yield data[begin:]


def memory(pid):
    """What is mapped and not zeros, and whether the module shares it"""
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as mem:
        for begin, size, shared in mappings(pid):
            mem.seek(begin)
            try:
                data = mem.read(size)
            except OSError:
                # Pages that there is nothing behind
                continue
            for piece in pieces(data):
                yield piece, shared


def places(data, pattern):
    at = data.find(pattern)
    while at >= 0:
        yield at
        at = data.find(pattern, at + 1)


def secrets_of(entry):
    """What of an entry of the table is secret, in the pieces that count"""
    _, alg, length, enc, dec, hash_key, inner, outer = ENTRY.unpack(entry)
    rounds = length // 4 + 7
    yield enc[:length]
    for i in range(length // 16, rounds):
        yield enc[16 * i:16 * i + 16]
    if alg == 1:
        for i in range(rounds):
            yield dec[16 * i:16 * i + 16]
        yield inner
        yield outer
    else:
        yield hash_key


def collect(pid, keys):
    found, without = set(), set(keys)
    for data, shared in memory(pid):
        for key in keys if shared else []:
            for at in places(data, key):
                entry = data[at - 16:at - 16 + ENTRY.size]
                # Round keys are elsewhere, too: the last one's length is right.
                if at >= 16 and struct.unpack("<H", entry[6:8])[0] == len(key):
                    found.update(secrets_of(entry))
                    without.discard(key)
    if without:
        sys.exit(f"{len(without)} of {len(set(keys))} keys have no entry")
    return found


def main():
    action, pid, name = sys.argv[1:4]
    if action == "collect":
        found = collect(pid, [bytes.fromhex(key) for key in sys.argv[4:]])
        with open(name, "w", encoding="ascii") as file:
            file.writelines(secret.hex() + "\n" for secret in sorted(found))
        print(len(found), "secrets")
        return
    with open(name, encoding="ascii") as file:
        secrets = [bytes.fromhex(line) for line in file]
    count = {True: 0, False: 0}
    for data, shared in memory(pid):
        for secret in secrets:
            count[shared] += sum(1 for _ in places(data, secret))
    print("shared", count[True], "own", count[False])


main()
