// SPDX-License-Identifier: GPL-2.0-only
/*
 * What batching gains on this machine: the same code, on one packet at a time,
 * as the kernel works, and on many.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "channel/alg.h"
#include "ctl/bench.h"
#include "ctl/bench_rig.h"
#include "ctl/proposal.h"
#include "report/json.h"

/* A gain from which on the way to the daemon and back is worth it */
#define PAYS	2.0

#define GIGA	1000000000.0

static void progress(unsigned int done, const char *what)
{
	static const char bar[] = "####################";
	int length = (sizeof(bar) - 1) * done / ALG_KINDS;

	if (!isatty(STDERR_FILENO))
		return;
	if (what)
		fprintf(stderr, "\r[%-20.*s] %-50s", length, bar, what);
	else
		fprintf(stderr, "\r%75s\r", "");
}

static const char *verdict(bool good, double gain)
{
	if (!good)
		return "wrong results: do not offload here";
	if (gain >= PAYS)
		return "offloading pays";
	if (gain >= BENCH_MAY_PAY)
		return "may pay: the module will measure";
	return "no gain: the kernel does it at once";
}

/* What an operator calls it, in both directions */
static const char *proposal_of(char *name, size_t size, unsigned int kind)
{
	proposal_name(name, size, algs[alg_of_kind(kind)].name,
		      8 * alg_key_len_of_kind(kind), 0, false);
	return name;
}

static json_t *measure(struct bench_rig *rig, unsigned int kind, bool good)
{
	char name[64];
	struct bench_speed s = bench_rig_measure(rig, kind);

	return json_pack("{s:s, s:s, s:s, s:i, s:b, s:f, s:f, s:f, s:s}",
			 "algorithm", algs[alg_of_kind(kind)].name,
			 "proposal", proposal_of(name, sizeof(name), kind),
			 "direction",
			 alg_op_of_kind(kind) == WAVECRYPT_OP_DECRYPT ?
			 "decrypt" : "encrypt",
			 "key_bits", 8 * alg_key_len_of_kind(kind),
			 "correct", good,
			 "one_bits_per_s", s.one, "batch_bits_per_s", s.many,
			 "gain", s.gain, "verdict", verdict(good, s.gain));
}

json_t *bench_collect(const struct ctl *c)
{
	struct bench_rig *rig = bench_rig_open();
	json_t *results = json_array();
	bool all_good = rig;

	(void)c;
	for (unsigned int kind = 0; rig && kind < ALG_KINDS; kind++) {
		const struct bench_vector *v = bench_vector_of(kind);
		bool good;

		if (!alg_kind_exists(kind))
			continue;
		progress(kind, algs[alg_of_kind(kind)].name);
		good = v && bench_rig_check(rig, v);
		all_good = all_good && good;
		json_array_append_new(results, measure(rig, kind, good));
	}
	progress(ALG_KINDS, NULL);
	if (rig)
		bench_rig_close(rig);
	return json_pack("{s:b, s:s, s:i, s:o}", "correct", all_good,
			 "backend", rig ? bench_rig_name() : "none",
			 "batch", BENCH_PACKETS, "results", results);
}

static double gbit(const json_t *result, const char *key)
{
	return real(result, key) / GIGA;
}

void bench_print(const json_t *bench)
{
	const json_t *result;
	size_t i;

	printf("%s\n\n", text(bench, "backend"));
	printf("%-24s %-8s %9s %8s %6s\n", "Gbit/s of one processor", "",
	       "1 at a t.", "batches", "gain");
	json_array_foreach(json_object_get(bench, "results"), i, result)
		printf("%-24s %-8s %9.2f %8.2f %5.1fx  %s\n",
		       text(result, "proposal"), text(result, "direction"),
		       gbit(result, "one_bits_per_s"),
		       gbit(result, "batch_bits_per_s"),
		       real(result, "gain"),
		       text(result, "verdict"));
	printf("\nWith -esn the same.\n");
}
