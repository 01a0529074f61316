// SPDX-License-Identifier: GPL-2.0-only
/*
 * No address and no branch may depend on a secret. To be run under valgrind's
 * memcheck, which is told that keys and payload are uninitialised and reports
 * whatever jumps or accesses memory by them (after A. Langley's ctgrind).
 *
 *	valgrind secrets [ciphers|sums]
 *
 * The kernels are ones with a leak in what encrypts, or in what authenticates, which
 * must be found.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <valgrind/memcheck.h>

#include "channel/alg.h"
#include "describe.h"
#include "engine.h"
#include "expand.h"

static const unsigned int lens[] = { 0, 16, 112, 33, 160, 255, 80 };

static unsigned int tests, failed;

static void result(bool ok, const char *name)
{
	tests++;
	failed += !ok;
	printf("%sok %u %s\n", ok ? "" : "not ", tests, name);
}

/* Is the number of errors that valgrind counts by now as it should be? */
static bool as_wanted(unsigned int before, bool leaks)
{
	const unsigned int found = VALGRIND_COUNT_ERRORS - before;

	if (leaks && !found)
		printf("# the leak was not found\n");
	if (!leaks && found)
		printf("# %u places found: see valgrind's output\n", found);
	return leaks ? found > 0 : found == 0;
}

static bool kernel_is_blind(struct engine *engine, unsigned int alg, unsigned int op,
			    unsigned int key_len, bool leaks)
{
	const unsigned int errors = VALGRIND_COUNT_ERRORS;
	const unsigned int step = algs[alg].block;
	unsigned int end = 0;
	const char *error;

	wavecrypt_gpu_group_init(engine->groups, alg, op, key_len, 0);
	for (unsigned int i = 0; i < sizeof(lens) / sizeof(lens[0]); i++) {
		struct wavecrypt_gpu_packet *packet = &engine->packets[i];
		struct sa sa;
		struct wavecrypt_key key;

		*packet = (struct wavecrypt_gpu_packet) {
			.data = end + 64,
			.key = i,
			.len = lens[i] / step * step,
			.aad_len = 7 * i + 4,
			.seq_hi_len = algs[alg].seq_hi && i % 2 ? 4 : 0,
		};
		end = (packet->data + packet->len + WAVECRYPT_TAILROOM + 63) / 64 * 64;
		describe_in_group(engine->groups, engine->shape, packet->len);

		random_sa(&sa, alg, key_len);
		expand_sa(&key, &sa);
		wavecrypt_gpu_key_init(&engine->keys[i], &key);
		(void)VALGRIND_MAKE_MEM_UNDEFINED(&engine->keys[i], sizeof(engine->keys[i]));
		(void)VALGRIND_MAKE_MEM_UNDEFINED(packet->iv, sizeof(packet->iv));
	}
	(void)VALGRIND_MAKE_MEM_UNDEFINED(engine->data, end);
	error = engine->run(engine, 1);
	if (error)
		printf("# %s\n", error);
	return !error && as_wanted(errors, leaks);
}

/* Is it an algorithm with such a leak? Of those with the same HMAC one is enough. */
static bool is_planted(unsigned int alg, const char *leaks)
{
	if (!strcmp(leaks, "ciphers"))
		return algs[alg].cipher != CIPHER_NONE;
	return algs[alg].cipher == CIPHER_NONE || algs[alg].auth == AUTH_GHASH ||
	       algs[alg].auth == AUTH_POLY1305;
}

static bool key_is_blind(unsigned int alg)
{
	const unsigned int errors = VALGRIND_COUNT_ERRORS;
	struct sa sa;
	struct wavecrypt_gpu_key to;
	struct wavecrypt_key key;

	random_sa(&sa, alg, alg_has_key_len(alg, 32) ? 32 : 0);
	expand_sa(&key, &sa);
	(void)VALGRIND_MAKE_MEM_UNDEFINED(key.enc, sizeof(key.enc));
	(void)VALGRIND_MAKE_MEM_UNDEFINED(key.inner, sizeof(key.inner));
	(void)VALGRIND_MAKE_MEM_UNDEFINED(key.outer, sizeof(key.outer));
	(void)VALGRIND_MAKE_MEM_UNDEFINED(key.hash_key, sizeof(key.hash_key));
	wavecrypt_gpu_key_init(&to, &key);
	return as_wanted(errors, false);
}

int main(int argc, char **argv)
{
	const char *leaks = argc > 1 ? argv[1] : NULL;
	struct engine engine = { 0 };
	const char *error;

	setvbuf(stdout, NULL, _IOLBF, 0);
	printf("KTAP version 1\n");
	error = RUNNING_ON_VALGRIND ? engine_hosted(&engine) : "not under valgrind";
	if (error) {
		printf("Bail out! %s\n", error);
		return 1;
	}
	printf("# %s%s%s\n", engine.name, leaks ? ", with leaks in " : "", leaks ?: "");
	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		const unsigned int alg = alg_of_kind(i), op = alg_op_of_kind(i);
		const unsigned int key_len = alg_key_len_of_kind(i);
		char name[100];

		if (!alg_kind_exists(i) || (leaks && !is_planted(alg, leaks)))
			continue;
		snprintf(name, sizeof(name), "%s %s, key of %u bits%s", algs[alg].label,
			 op == WAVECRYPT_OP_ENCRYPT ? "encrypt" : "decrypt", 8 * key_len,
			 leaks ? ": the leak is found" : "");
		result(kernel_is_blind(&engine, alg, op, key_len, leaks), name);
	}
	for (unsigned int alg = 1; !leaks && alg < WAVECRYPT_ALGS; alg++) {
		char name[100];

		snprintf(name, sizeof(name), "preparing a key, %s", algs[alg].label);
		result(key_is_blind(alg), name);
	}
	engine.close(&engine);
	printf("1..%u\n", tests);
	return failed != 0;
}
