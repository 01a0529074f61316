# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.

# wait_until SECONDS COMMAND...: for what has no event to wait for. A function in_vain,
# where there is one, says more when it does not happen.
wait_until()
{
	local deadline=$((SECONDS + $1))
	shift
	until "$@" >/dev/null 2>&1; do
		[ "$SECONDS" -lt "$deadline" ] || {
			echo "in vain: $*"
			! declare -F in_vain >/dev/null || in_vain
			return 1
		}
		sleep 0.1
	done
}

# in_tries TRIES COMMAND...: one of so many succeeds, for what a busy machine spoils at times.
# In the command no "set -e" holds; what may not be tried again calls exit.
in_tries()
{
	local tries
	for ((tries = 0; tries < $1; tries++)); do
		! "${@:2}" || return 0
	done
	return 1
}

# or_gone PID COMMAND...: the command succeeds, or there is no such process
or_gone()
{
	"${@:2}" || ! kill -0 "$1"
}

# wait_while PID SECONDS COMMAND...: wait_until, but not for a process that has ended
wait_while()
{
	wait_until "$2" or_gone "$1" "${@:3}" && "${@:3}" >/dev/null 2>&1
}
