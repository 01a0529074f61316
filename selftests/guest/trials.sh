#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# What the router tries in vain it tries ever more rarely, whatever keeps a trial from
# being judged. With requests of the crypto API.
#
# uml: 7.2-full --test-modules --timeout 600

set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
# shellcheck source=../lib/ktap.sh
. "$here/../lib/ktap.sh"
# shellcheck source=../lib/wavecrypt.sh
. "$here/../lib/wavecrypt.sh"
# shellcheck source=../bench/kmod.bash
. "$here/../bench/kmod.bash"

load_bench
set_mode auto

# alternate DEPTH SAMPLES: AES-GCM with so few in flight, which is far slower by a helper, so
# slow that there seems to be little to do. It goes on for 20 ms each time, in which there may be
# a trial, and then there is none for as long.
alternate()
{
	local said

	said=$(measure "what=aead alg=gcm len=1408 depth=$1 samples=$2 warm_us=10000 slice_us=10000 \
base=$(driver gcm) test=$gcm-wavecrypt")
	[[ $said != *'"error"'* ]] || {
		echo "$said"
		return 1
	}
}

# seldom DEPTH: once it is known that it is slower
seldom()
{
	local tries inline before

	before=$(counter "$gcm.encrypt" requests_inline)
	alternate "$1" 50 || return 1
	tries=$(counter "$gcm.encrypt" requests_offloaded)
	# There is a helper, and it was tried.
	((tries > 0)) || return 1
	inline=$(counter "$gcm.encrypt" requests_inline)
	before=$((inline - before))
	alternate "$1" 100 || return 1
	tries=$(($(counter "$gcm.encrypt" requests_offloaded) - tries))
	inline=$(($(counter "$gcm.encrypt" requests_inline) - inline))
	echo "figure: $tries offloaded, $inline inline"
	# A trial in 160 ms is 2,000 of them, about, and one in 20 ms 18,000 and more. What was
	# done before, in half of the time, says that there was as much to try.
	((tries < 6000 && inline > before / 5))
}

ktap_begin
ktap_test "one in flight" seldom 1
ktap_test "four in flight" seldom 4
ktap_end
