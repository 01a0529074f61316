# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Random requests, for suites that run with --test-modules and have sourced
# lib/wavecrypt.sh. selftests/kmod/test_main.c says what is compared.
# shellcheck disable=SC2154 # theirs

test_module=${WAVECRYPT_TEST_MODULE:-$(dirname "${BASH_SOURCE[0]}")/../../build/${WAVECRYPT_VM_KERNEL:?}/kmod/wavecrypt_test.ko}

# run_test PARAMETER...: by loading the module, or once more if it is loaded
run_test()
{
	local parameters=/sys/module/wavecrypt_test/parameters setting

	if [ ! -e $parameters ]; then
		insmod "$test_module" "$@"
		return
	fi
	for setting; do
		printf %s "${setting#*=}" >"$parameters/${setting%%=*}"
	done
	echo 1 >$parameters/run
}

# fuzz REQUESTS [SEED [PARAMETER...]]: fails if there is a difference, or if memory was
# short and $memory_is_short is empty; what the module finds to say is the test's output
fuzz()
{
	local status=0 said

	mark_log
	run_test requests="$1" seed="${2:-0}" "${@:3}" || status=$?
	said=$(log_since_mark | sed -n 's/.* wavecrypt_test: //p' |
		sed 's/^seed [0-9]*: [0-9]* requests,/figure: &/')
	echo "$said"
	[ $status -eq 0 ] || return
	[ "$(differences)" -eq 0 ] || return
	[ -n "${memory_is_short-}" ] || {
		grep -q ', 0 for want of memory$' <<<"$said" &&
			grep -q '; 0 times no memory to test with;' <<<"$said"
	}
}

# differences: that were found the last time
differences()
{
	cat /sys/module/wavecrypt_test/parameters/failures
}

# grows COUNTER COMMAND...: it counted something meanwhile
grows()
{
	local counter=$1 before

	shift
	before=$(of_algorithms "$counter")
	"$@"
	echo "$counter: $(($(of_algorithms "$counter") - before))"
	[ "$(of_algorithms "$counter")" -gt "$before" ]
}

# again_and_again FILE COMMAND...: until there is the file
again_and_again()
{
	local file=$1 times=0

	shift
	until [ -e "$file" ]; do
		"$@"
		times=$((times + 1))
	done
	echo "$* $times times"
}

# during WHAT COMMAND...: the one again and again while the other runs
during()
{
	local what=$1 over status=0

	shift
	over=$(mktemp -u)
	again_and_again "$over" "$what" >"$over.log" 2>&1 &
	"$@" || status=$?
	touch "$over"
	wait $! || {
		echo "$what failed:"
		status=1
	}
	tail -n 20 "$over.log"
	rm "$over" "$over.log"
	return $status
}
