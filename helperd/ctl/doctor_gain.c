// SPDX-License-Identifier: GPL-2.0-only
/*
 * What batches gain for the proposals of the SAs that there are: a peer that insists
 * on one may be worth more of them, or another one worth asking for.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "channel/alg.h"
#include "ctl/bench_rig.h"
#include "ctl/doctor.h"
#include "ctl/proposal.h"
#include "report/json.h"

/* With extended sequence numbers the work is the same. */
static bool is_called(const char *aead, const char *algorithm)
{
	char name[AEAD_NAME];

	return !strcmp(aead, algorithm) ||
	       !strcmp(aead, aead_name(name, algorithm, true));
}

/* That of packets that the SA's kernel encrypts; ALG_KINDS: none */
static unsigned int kind_of(const json_t *sa)
{
	unsigned int kind;

	for (kind = 0; kind < ALG_KINDS; kind++)
		if (alg_kind_exists(kind) &&
		    alg_op_of_kind(kind) == WAVECRYPT_OP_ENCRYPT &&
		    8 * alg_key_len_of_kind(kind) == number(sa, "key_bits") &&
		    is_called(text(sa, "algorithm"), algs[alg_of_kind(kind)].name))
			break;
	return kind;
}

static double gain(struct bench_rig *rig, unsigned int kind, unsigned int op)
{
	unsigned int both = alg_kind(alg_of_kind(kind), op,
				     alg_key_len_of_kind(kind));

	return bench_rig_measure(rig, both).gain;
}

/* By proposal: how many SAs, and their kind */
static json_t *by_proposal(const json_t *sas)
{
	json_t *all = json_object(), *sa, *one;
	size_t i;

	json_array_foreach(sas, i, sa) {
		const char *name = text(sa, "proposal");

		one = json_object_get(all, name);
		if (!one) {
			one = json_pack("{s:i}", "kind", kind_of(sa));
			json_object_set_new(all, name, one);
		}
		json_object_set_new(one, "sas",
				    json_integer(number(one, "sas") + 1));
	}
	return all;
}

static void say(struct doctor *d, struct bench_rig *rig, const char *proposal,
		const json_t *of)
{
	unsigned int kind = number(of, "kind");
	double out = gain(rig, kind, WAVECRYPT_OP_ENCRYPT);
	double in = gain(rig, kind, WAVECRYPT_OP_DECRYPT);
	long long sas = number(of, "sas");

	if (out < BENCH_MAY_PAY && in < BENCH_MAY_PAY)
		doctor_say(d, "gain", DOCTOR_NOTE,
			   "\"wavecryptctl bench\" says which proposals gain more",
			   "%s (%lld SA%s) gains next to nothing from batches on this processor (%.1f times encrypting, %.1f decrypting)",
			   proposal, sas, sas == 1 ? "" : "s", out, in);
	else
		doctor_say(d, "gain", DOCTOR_GOOD, NULL,
			   "%s (%lld SA%s) in batches is %.1f times as fast on this processor encrypting, %.1f times decrypting",
			   proposal, sas, sas == 1 ? "" : "s", out, in);
}

void doctor_gain(struct doctor *d, const json_t *sas)
{
	json_t *proposals = by_proposal(sas), *of;
	struct bench_rig *rig = json_object_size(proposals) ?
				bench_rig_open() : NULL;
	const char *proposal;

	if (rig) {
		json_object_foreach(proposals, proposal, of)
			if (number(of, "kind") < ALG_KINDS)
				say(d, rig, proposal, of);
		bench_rig_close(rig);
	}
	json_decref(proposals);
}
