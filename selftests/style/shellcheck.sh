#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# The shell's own linter, on every shell script

set -euo pipefail

cd "$(dirname "$0")/../.."
. selftests/lib/ktap.sh

check()
{
	# A sourced file that is not there at this time is none of its business,
	# and functions are called by ktap_test, which it does not see.
	case $1 in
	selftests/vm/init)	shellcheck --shell=dash "$1" ;;
	*)			shellcheck -x -P SCRIPTDIR --exclude=SC1091,SC2317 "$1" ;;
	esac
}

# What writes to a reader that has gone dies of it, sooner or later, and the pipe
# fails: nothing reads only the beginning.
reads_to_the_end()
{
	! grep -nE '(^|[^|])\| *(head|grep (-[A-Za-z]*[qm]|>/dev/null))\>|\| *awk .*\<exit\>|\| *sed .*[0-9/]q\>' -- "${scripts[@]}"
}

ktap_begin
mapfile -t scripts < <(selftests/lib/tracked |
	xargs -d '\n' grep -lE '^#!.*(bash|/sh|busybox sh)$|^# shellcheck shell=')
for script in "${scripts[@]}"; do
	ktap_test "$script" check "$script"
done
ktap_test "pipes are read to the end" reads_to_the_end
ktap_end
