// SPDX-License-Identifier: GPL-2.0-only
/*
 * What SAs have carried ends with them. So it is a gauge: a counter that fell
 * whenever one is rekeyed would be taken for one that began anew.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>

#include "lib/array.h"
#include "report/exposition.h"
#include "report/json.h"
#include "report/metrics_sas.h"

static const struct {
	struct metric metric;
	const char *key;
} sums[] = {
	{ { "wavecrypt_sas", "gauge", "SAs that there are." }, "sas" },
	{ { "wavecrypt_sas_accelerated", "gauge",
	    "Those of them that wavecrypt serves." }, "accelerated" },
	{ { "wavecrypt_sas_packets", "gauge",
	    "Packets that they have carried so far; falls when one is rekeyed." },
	  "packets" },
	{ { "wavecrypt_sas_bytes", "gauge",
	    "Bytes that they have carried so far; falls when one is rekeyed." },
	  "bytes" },
	{ { "wavecrypt_sas_offloaded_packets", "gauge",
	    "Packets of theirs that the helper did." },
	  "packets_offloaded" },
};

static void add(json_t *tunnel, const char *key, json_int_t n)
{
	json_object_set_new(tunnel, key, json_integer(number(tunnel, key) + n));
}

/* The labels of an SA's tunnel, and direction */
static void set_labels(char labels[LABELS], const json_t *sa)
{
	static const char *const keys[] = { "child", "direction", "proposal",
					    "algorithm" };
	char reqid[24];

	labels[0] = '\0';
	snprintf(reqid, sizeof(reqid), "%lld", (long long)number(sa, "reqid"));
	label(labels, "reqid", reqid);
	for (size_t i = 0; i < ARRAY_SIZE(keys); i++)
		label(labels, keys[i], text(sa, keys[i]));
}

void metrics_sas(json_t *metrics, const json_t *sas)
{
	json_t *tunnels = json_object(), *tunnel;
	const char *labels;
	const json_t *sa;
	size_t i;

	json_array_foreach(sas, i, sa) {
		char of[LABELS];

		set_labels(of, sa);
		if (!json_object_get(tunnels, of))
			json_object_set_new(tunnels, of, json_object());
		tunnel = json_object_get(tunnels, of);
		add(tunnel, "sas", 1);
		add(tunnel, "accelerated",
		    json_is_true(json_object_get(sa, "accelerated")));
		add(tunnel, "packets", number(sa, "packets"));
		add(tunnel, "bytes", number(sa, "bytes"));
		add(tunnel, "packets_offloaded",
		    number(sa, "packets_offloaded"));
	}
	json_object_foreach(tunnels, labels, tunnel)
		for (size_t k = 0; k < ARRAY_SIZE(sums); k++)
			expose(metrics, &sums[k].metric, labels,
			       number(tunnel, sums[k].key));
	json_decref(tunnels);
}
