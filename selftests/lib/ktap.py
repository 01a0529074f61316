# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""KTAP for suites in Python, whose tests are functions test_...; what one is for its
docstring says."""

import os
import tempfile
import traceback


class Skip(Exception):
    """Raised by a test that cannot be done here; its text says why"""


def wants_root():
    """What only root can do is skipped for others."""
    if os.geteuid() != 0:
        raise Skip("not root")


def outcome(test, argument):
    """What comes of one: how its line begins and ends"""
    try:
        test(argument)
    except Skip as skip:
        return "ok", f" # SKIP {skip}"
    except Exception:  # pylint: disable=broad-except
        print("# " + traceback.format_exc().rstrip().replace("\n", "\n# "))
        return "not ok", ""
    return "ok", ""


def run(namespace, prepared=lambda directory: directory):
    """Run all tests of a namespace, each with a directory of its own, or what PREPARED makes of
    that. The suite's exit status."""
    tests = [value for name, value in namespace.items() if name.startswith("test_")]
    failed = 0
    for number, test in enumerate(tests, 1):
        with tempfile.TemporaryDirectory(prefix="wavecrypt-") as directory:
            result, remark = outcome(test, prepared(directory))
        failed += result != "ok"
        print(f"{result} {number} {test.__doc__}{remark}", flush=True)
    print(f"1..{len(tests)}")
    return 1 if failed else 0
