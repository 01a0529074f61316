// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the proposals of the SAs that there are gain: a peer that insists on one may be
 * worth more of them, or another one worth asking for. What a packet costs either way
 * the module has found out where there is traffic; elsewhere the lanes are tried, which
 * says nothing of the kernel's driver.
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

/* "authenc(hmac(sha1),cbc(aes))" is "authenc-hmac-sha1-cbc-aes" to the module. */
static bool is_spelt(const char *dir, const char *aead)
{
	static const char apart[] = "(),-";

	for (;; dir++, aead++) {
		dir += strspn(dir, apart);
		aead += strspn(aead, apart);
		if (*dir != *aead || !*dir)
			return *dir == *aead;
	}
}

/* What the module knows of an algorithm's longest packets that were offloaded; NULL:
 * there were none.
 */
static const json_t *known(const json_t *route, const char *aead, const char *op)
{
	const json_t *class, *longest = NULL;
	size_t i;

	json_array_foreach(json_object_get(route, "classes"), i, class)
		if (!strcmp(text(class, "op"), op) &&
		    is_spelt(text(class, "algorithm"), aead) &&
		    number(class, "submit_ns") && number(class, "complete_ns") &&
		    number(class, "max_len") > number(longest, "max_len"))
			longest = class;
	return longest;
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
			one = json_pack("{s:i, s:s}", "kind", kind_of(sa),
					"algorithm", text(sa, "algorithm"));
			json_object_set_new(all, name, one);
		}
		json_object_set_new(one, "sas",
				    json_integer(number(one, "sas") + 1));
	}
	return all;
}

/* By what the module has found out in one direction; false: nothing */
static bool say_known(struct doctor *d, const json_t *route, const char *proposal,
		      const json_t *of, const char *op)
{
	const json_t *class = known(route, text(of, "algorithm"), op);
	long long sas = number(of, "sas"), by_kernel, handed;
	const char *way = text(class, "way");

	if (!class)
		return false;
	by_kernel = number(class, "inline_ns");
	handed = number(class, "submit_ns") + number(class, "complete_ns");
	doctor_say(d, "gain", by_kernel > handed ? DOCTOR_GOOD : DOCTOR_NOTE,
		   by_kernel > handed ? NULL :
			   "it stays in the kernel; \"wavecryptctl bench\" says which proposals gain more",
		   "%s (%lld SA%s), %s: up to %lld bytes cost a CPU %lld ns by the kernel's driver, %.1f times the %lld that it takes to hand them over (now: %s)",
		   proposal, sas, sas == 1 ? "" : "s", op,
		   (long long)number(class, "max_len"), by_kernel,
		   (double)by_kernel / handed, handed, way);
	return true;
}

/* By trying the lanes */
static void say_tried(struct doctor *d, struct bench_rig *rig,
		      const char *proposal, const json_t *of)
{
	unsigned int kind = number(of, "kind");
	double out = gain(rig, kind, WAVECRYPT_OP_ENCRYPT);
	double in = gain(rig, kind, WAVECRYPT_OP_DECRYPT);
	bool pays = out >= BENCH_MAY_PAY || in >= BENCH_MAY_PAY;
	long long sas = number(of, "sas");

	doctor_say(d, "gain", pays ? DOCTOR_GOOD : DOCTOR_NOTE,
		   pays ? NULL :
			  "\"wavecryptctl bench\" says which proposals gain more",
		   "%s (%lld SA%s): in batches the daemon's lanes are %.1f times as fast as with one packet at a time encrypting, %.1f decrypting; what that is to the kernel's driver is known after some traffic",
		   proposal, sas, sas == 1 ? "" : "s", out, in);
}

void doctor_gain(struct doctor *d, const json_t *sas)
{
	json_t *proposals = by_proposal(sas), *of;
	json_t *route = route_collect(d->ctl);
	struct bench_rig *rig = json_object_size(proposals) ?
				bench_rig_open() : NULL;
	const char *proposal;
	bool said;

	json_object_foreach(proposals, proposal, of) {
		if (number(of, "kind") == ALG_KINDS)
			continue;
		said = say_known(d, route, proposal, of, "encrypt");
		said |= say_known(d, route, proposal, of, "decrypt");
		if (!said && rig)
			say_tried(d, rig, proposal, of);
	}
	if (rig)
		bench_rig_close(rig);
	json_decref(route);
	json_decref(proposals);
}
