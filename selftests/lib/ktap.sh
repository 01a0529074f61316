# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# KTAP for shell suites:
#
#	. "$(dirname "$0")/../lib/ktap.sh"
#	ktap_begin
#	ktap_test "the sky is blue" sky_is blue
#	ktap_skip "it rains" "no clouds here"
#	ktap_end
#
# A test is a command, most often a function: it passes when it returns 0. It
# runs in a subshell of its own under "set -e", so any step that fails fails it,
# and what it changes in the shell is forgotten. What it prints is shown when it
# fails; lines that begin with "figure: " always are, and what a long one took. One that
# finds out that it cannot tell calls ktap_cannot, in no subshell of its own. Do not call
# ktap_test in a condition: that would switch "set -e" off.

ktap_lib=$(dirname "${BASH_SOURCE[0]}")
ktap_count=0
ktap_failed=0

# ktap_options "NAME..." [--NAME VALUE]...: sets the variables of these names that
# the suite was given
ktap_options()
{
	local name names=" $1"

	shift
	while [ $# -gt 0 ]; do
		name=${1#--}
		if [ "--$name" != "$1" ] || [ $# -lt 2 ] || [[ "$names " != *" $name "* ]]; then
			echo "usage: $(basename "$0") [--NAME N]..., NAME one of$names" >&2
			exit 2
		fi
		printf -v "$name" %s "$2"
		shift 2
	done
}

ktap_begin()
{
	ktap_outputs=$(mktemp -d)
	# Of no interest to who waits for children
	(ktap_watch >/dev/null &)
	echo "KTAP version 1"
}

# ktap_watch: as long as the suite runs, whether a test takes so long that it may never
# end. Whoever ends the suite then has on standard error what it was at.
ktap_watch()
{
	local nr=0 since=$SECONDS told='' files

	while sleep 20 && kill -0 $$ 2>/dev/null; do
		files=("$ktap_outputs"/*)
		if [ ${#files[@]} -ne "$nr" ]; then
			nr=${#files[@]} since=$SECONDS told=''
		elif [ -z "$told" ] && [ $((SECONDS - since)) -ge 400 ]; then
			told=yes
			ktap_stuck $((SECONDS - since)) >&2
		fi
	done
}

# ktap_stuck SECONDS
ktap_stuck()
{
	local output where=,wchan:24
	# There it is always the same, and to KASAN like a use of another's stack.
	! grep -q 'User Mode Linux' /proc/cpuinfo || where=''
	output=$(find "$ktap_outputs" -type f -printf '%T@ %p\n' | sort -n | tail -n 1)
	if [ -n "$output" ]; then
		echo "ktap: test ${output##*/} has taken $1 s; so far it said:"
		tail -n 40 "${output#* }"
	else
		echo "ktap: for $1 s no test has begun"
	fi
	ps --ppid 2 -p 2 --deselect -o "pid,ppid,stat$where,etimes,args"
}

# ktap_show BEGINNING LINE...: those that begin so, as KTAP's diagnostics
ktap_show()
{
	local beginning=$1 line
	shift
	for line in "$@"; do
		[[ $line != "$beginning"* ]] || echo "# $line"
	done
}

# ktap_test NAME COMMAND [ARGUMENT...]
# Itself it starts no program: where a processor is emulated that is what takes long.
ktap_test()
{
	local name=$1 output status lines started=$SECONDS
	shift
	ktap_count=$((ktap_count + 1))
	output=$ktap_outputs/$ktap_count
	set +e
	(set -e; "$@") >"$output" 2>&1
	status=$?
	set -e
	mapfile -t lines <"$output"
	if [ $status -eq 0 ]; then
		ktap_show "figure: " "${lines[@]}"
		[[ ${lines[*]: -1} != "cannot: "* ]] || name+=" # SKIP ${lines[-1]#cannot: }"
		[ $((SECONDS - started)) -lt 5 ] || echo "# $((SECONDS - started)) s"
		echo "ok $ktap_count $name"
	else
		ktap_failed=$((ktap_failed + 1))
		ktap_show "" "${lines[@]}"
		echo "# status $status after $((SECONDS - started)) s of: $*"
		echo "not ok $ktap_count $name"
	fi
}

# ktap_whole COMMAND...: a test that prints KTAP of its own, which has to be whole, and without
# a failure
ktap_whole()
{
	local own=$ktap_outputs/$ktap_count.own failed problem

	"$@" | tee "$own" || return
	read -r _ failed _ problem < <("$ktap_lib/ktap-sum" "$own")
	expect_equal "failed" "0 " "$failed $problem"
}

# ktap_cannot REASON: the end of the test that calls it, which is skipped
ktap_cannot()
{
	echo "cannot: $1"
	exit 0
}

# ktap_skip NAME REASON
ktap_skip()
{
	ktap_count=$((ktap_count + 1))
	echo "ok $ktap_count $1 # SKIP $2"
}

# The suite's end, and its status
ktap_end()
{
	rm -r "$ktap_outputs"
	echo "1..$ktap_count"
	[ "$ktap_failed" -eq 0 ]
	exit
}

# What a test says of two values that should be the same
# expect_equal WHAT WANTED GOT
expect_equal()
{
	[ "$2" = "$3" ] || {
		echo "$1: wanted '$2', got '$3'"
		return 1
	}
}
