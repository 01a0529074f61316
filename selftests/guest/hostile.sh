#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A helper that lies in every way that the interface allows, while random
# requests are made, which do not notice; and what comes after it.
#
# hostile.sh [--completions N] [--seed N]: so many of it, instead of 10000
#
# uml: 7.2-full --no-helper --test-modules
# debug: uml uml72 vm

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=fuzz.bash
. "$here/fuzz.bash"

completions=10000 seed=0
ktap_options "completions seed" "$@"

helper=$here/../vm/helper
bin=$here/../../build/selftests
said=$(mktemp)

requests()
{
	fuzz 2000
}

# A liar about encryption cannot be seen through, but has to be found here.
liar_found()
{
	local liar rounds

	"$bin/hostile" -c &
	liar=$!
	# Each time that it lies about decryption it is seen through, and ends.
	for ((rounds = 0; rounds < 20; rounds++)); do
		fuzz 2000 || break
	done
	kill "$liar"
	wait "$liar"
	[ "$(differences)" -gt 0 ]
}

hostile()
{
	during requests "$bin/hostile" -n "$completions" -s "$seed"
}

# What the module says of lies, and nothing else is said.
told()
{
	mark_log
	"$@"
	log_since_mark | sed -n 's/.* broke the rules, .* queue [0-9]*: //p' |
		sed 's/[0-9]\+/N/g' | sort | uniq -c >"$said"
	cat "$said"
	[ -s "$said" ]
	only 'helper [0-9]+ (attached|detached|replaces [0-9]+|stalled on queue [0-9]+, .*|goes on with queue [0-9]+|broke the rules, its requests are done in the kernel: queue [0-9]+: .*)$|hostile\[[0-9]+\] (speaks version [0-9]+|cannot have [0-9]+ entries)|.* callbacks suppressed'
}

set_mode offload
echo 20 >/sys/module/wavecrypt/parameters/stall_ms
ktap_begin
ktap_test "somebody who only claims to encrypt is found out by this test" liar_found
ktap_test "requests beside a hostile helper" told hostile
"$helper" start
# That one may be kept from running.
echo 5000 >/sys/module/wavecrypt/parameters/stall_ms
ktap_test "and beside an honest one after it" grows requests_offloaded requests
ktap_end
