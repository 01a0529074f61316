# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# A real Prometheus that scrapes wavecryptctl, as systemd starts it for whoever asks.
# To be sourced.

prometheus=127.0.0.1:9090

# prometheus_start DIR SECONDS [RULES]: scrape every so many; all that it leaves is in DIR
prometheus_start()
{
	local endpoint=127.0.0.1:9101
	cat >"$1/prometheus.yml" <<-END
		global: {scrape_interval: ${2}s, evaluation_interval: 1s}
		rule_files: [${3-}]
		scrape_configs:
		- job_name: wavecrypt
		  static_configs: [{targets: ['$endpoint'], labels: {instance: gateway}}]
	END
	systemd-socket-activate --accept --inetd -l "$endpoint" \
		"$(dirname "${BASH_SOURCE[0]}")/../../build/helperd/wavecryptctl" metrics --http \
		</dev/null >"$1/socket.log" 2>&1 &
	prometheus --config.file="$1/prometheus.yml" --storage.tsdb.path="$1/data" \
		--web.listen-address="$prometheus" </dev/null >"$1/prometheus.log" 2>&1 &
}
