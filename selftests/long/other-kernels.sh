#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Suites on the stock kernels that make check does not have them on, as they are
# emulated and take minutes
#
# debs: kernel 6.1
# debs: kernel 6.12
# debs: kernel 7.2
# debs: kernel 7.3

set -euo pipefail

cd "$(dirname "$0")/../.."
# shellcheck source=../lib/ktap.sh
. selftests/lib/ktap.sh

# on KERNEL SUITE [OPTION...]: of vm/run's
on()
{
	ktap_test "$(basename "$2" .sh) on $1${3:+, ${*:3}}" \
		selftests/vm/run --kernel "$1" --timeout 1800 --test-modules "${@:3}" -- "$2"
}

ktap_begin
on 6.12 selftests/guest/stock.sh --module-args hazards=none
on 7.2 selftests/guest/stock.sh --no-self-tests --module-args hazards=none
on 6.12 selftests/guest/crypto.sh
on 7.2 selftests/guest/crypto.sh
on 7.3 selftests/guest/crypto.sh
on 6.1 selftests/guest/capture.sh --no-self-tests
on 6.1 selftests/guest/abuse.sh --no-helper --no-self-tests
on 6.12 selftests/guest/fuzz.sh --no-helper
on 7.2 selftests/guest/fuzz.sh --no-helper
ktap_end
