# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# Three tunnels under load between two gateways, for pictures of what is shown of them.
# To be sourced.

# shellcheck disable=SC2034 # gateways.bash uses it
bin=$(dirname "${BASH_SOURCE[0]}")/../../build/selftests
# shellcheck source=../guest/gateways.bash
. "$(dirname "${BASH_SOURCE[0]}")/../guest/gateways.bash"

tunnel_add 1 tunnel 4 authenc 128 plain
tunnel_add 2 tunnel 4 cbc-sha256 256 plain
tunnel_add 3 tunnel 6 rfc4106 256 plain

# load N: both ways through a tunnel, until it is killed
load()
{
	at right iperf3 --server --bind "$(inner "$1" right)" >/dev/null &
	until at right ss -ltn | grep -qF "$(inner "$1" right)"; do :; done
	at left iperf3 --client "$(inner "$1" right)" --bind "$(inner "$1" left)" --bidir \
		--time 600 --set-mss 1300 >/dev/null &
}

# load_up: through all of them. With two processors for traffic, both gateways and the
# helper, mode "auto" would have the kernel do it all; and the helper is kept waiting for
# one of them.
load_up()
{
	local n
	echo offload >/sys/module/wavecrypt/parameters/mode
	echo 20000 >/sys/module/wavecrypt/parameters/stall_ms
	gateways_up
	sas_add left
	sas_add right
	for n in "${!tunnel_mode[@]}"; do
		load "$n"
	done
}
