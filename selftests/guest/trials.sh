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

taskset -pc 0 $$ >/dev/null
insmod "$(dirname "${WAVECRYPT_TEST_MODULE:?}")/wavecrypt_bench.ko"
set_mode auto

# seldom DEPTH: AES-GCM with so few in flight, which is far slower by a helper, so slow that
# there seems to be little to do. It goes on for 20 ms each time, in which there may be one
# trial, and then there is none for as long.
seldom()
{
	local before tries
	local spec="what=aead alg=gcm len=1408 depth=$1 samples=50 warm_us=10000 slice_us=10000"

	before=$(counter "$gcm.encrypt" requests_offloaded)
	measure "$spec base=$(driver gcm) test=$gcm-wavecrypt" >/dev/null
	tries=$(($(counter "$gcm.encrypt" requests_offloaded) - before))
	echo "figure: $tries of several 100,000 offloaded"
	((tries < 1000))
}

ktap_begin
ktap_test "one in flight" seldom 1
ktap_test "four in flight" seldom 4
ktap_end
