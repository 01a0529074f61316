// SPDX-License-Identifier: GPL-2.0-only
/*
 * kcapi ALG TEST: wavecrypt's algorithms, through AF_ALG by way of libkcapi,
 * against the generic implementation and libcrypto.
 *
 * The last line on standard output is "offloadable: ENCRYPT DECRYPT": how many
 * requests of each direction a helper should have got, were there one.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */

#include <err.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "kcapi_pair.h"
#include "random.h"
#include "slots.h"

static const size_t aes_lens[] = { 16, 24, 32 };
static const size_t usual_lens[] = { 0, 16, 64, 400, 1408, 2048, 8976, 12288 };

static uint64_t rng = 1;
static struct pair pair;

/* -- Every length --------------------------------------------------------- */

/* The key sizes take turns, each length is that of one. */
static void check_length(const struct way *way, unsigned int *turn,
			 size_t aad_len, size_t len)
{
	if ((*turn)++ % ARRAY_SIZE(aes_lens))
		return;
	pair_message(&pair, aad_len, len / pair.alg->block * pair.alg->block);
	pair_check(&pair, way);
}

/* Densely where something begins or ends, sparsely between, and too long */
static void check_lengths(const struct way *way, unsigned int turn,
			  size_t aad_len)
{
	static const size_t too_long[] = { 12288, 20000, 39990 };
	const size_t block = pair.alg->block;
	size_t len, i;
	int around;

	for (len = 0; len <= 300; len += block)
		check_length(way, &turn, aad_len, len);
	for (; len <= 9000; len += block > 1 ? 112 : 61)
		check_length(way, &turn, aad_len, len);
	for (i = 0; i < WAVECRYPT_SLOTS_CLASSES; i++)
		for (around = -2; around <= 2; around++)
			check_length(way, &turn, aad_len,
				     slot_edge(i) / block * block +
				     around * block);
	for (len = 4096 - 64; len <= 4096; len += block > 1 ? block : 7)
		check_length(way, &turn, aad_len, len);
	for (i = 0; i < ARRAY_SIZE(too_long); i++)
		check_length(way, &turn, aad_len, too_long[i]);
}

/* With one key size or another; ICV and AAD are IPsec's, each combination some
 * time
 */
static void test_lengths(const struct alg *alg, unsigned int way)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(aes_lens); i++) {
		pair_new(&pair, alg, aes_lens[i], alg->icvs[(i + way) % 3],
			 ways[way].flags, &rng);
		check_lengths(&ways[way], i, alg->aads[i % 2]);
		pair_close(&pair);
	}
}

/* -- Every size of key, ICV and AAD --------------------------------------- */

static void test_sizes(const struct alg *alg)
{
	const size_t *icv, *aad;
	unsigned int i, k;

	for (k = 0; k < ARRAY_SIZE(aes_lens); k++)
		for (icv = alg->icvs; *icv; icv++) {
			pair_new(&pair, alg, aes_lens[k], *icv, 0, &rng);
			for (aad = alg->aads; *aad; aad++)
				for (i = 0; i < ARRAY_SIZE(usual_lens); i++) {
					pair_message(&pair, *aad,
						     usual_lens[i]);
					pair_check(&pair, &ways[(i + k) % 5]);
				}
			pair_close(&pair);
		}
}

/* -- Many requests in flight, from any CPU -------------------------------- */

/* Threads that share the key, each with a socket and messages of its own. */
#define THREADS		8
#define TURNS		40

struct thread {
	pthread_t id;
	struct pair mine;
};

static void *parallel_thread(void *arg)
{
	struct thread *thread = arg;
	struct pair *mine = &thread->mine;
	unsigned int i;

	pair_dup(mine, &pair);
	mine->rng = (uintptr_t)thread;
	for (i = 0; i < TURNS; i++) {
		pair_message(mine, mine->alg->aads[i % 2],
			     random_below(&mine->rng, 600) * 16);
		pair_check(mine, &ways[i % NR_WAYS]);
	}
	pair_close(mine);
	return NULL;
}

static void test_parallel(const struct alg *alg)
{
	static struct thread threads[THREADS];
	int i, ret;

	pair_new(&pair, alg, 32, alg->icvs[0], KCAPI_INIT_AIO, &rng);
	for (i = 0; i < THREADS; i++) {
		ret = pthread_create(&threads[i].id, NULL, parallel_thread,
				     &threads[i]);
		if (ret)
			errx(2, "thread: %s", strerror(ret));
	}
	for (i = 0; i < THREADS; i++)
		pthread_join(threads[i].id, NULL);
	pair_close(&pair);
}

/* -- Forgeries ------------------------------------------------------------ */

/* Both implementations' verdict on a message as it stands */
static void check_verdict(const char *how, ssize_t wanted)
{
	ssize_t ret[2];
	int i;

	for (i = 0; i < 2; i++)
		ret[i] = pair_transmit(&pair, &pair.tfm[i], DECRYPT, &ways[0]);
	if (ret[0] != ret[1] || ret[0] != wanted)
		errx(1, "%s, payload %zu, ICV %zu, %s: %zd, not %zd; the generic one says %zd",
		     pair.alg->name, pair.m.len, pair.m.icv_len, how, ret[0],
		     wanted, ret[1]);
}

/* On a message of which one bit is another */
static void check_flipped(const char *how, uint8_t *at)
{
	uint8_t bit = 1 << random_below(&rng, 8);

	*at ^= bit;
	check_verdict(how, -EBADMSG);
	*at ^= bit;
}

static void check_forgeries(size_t len)
{
	const struct alg *alg = pair.alg;
	struct message *m = &pair.m;
	size_t i, aad_len = alg->aads[0];
	uint8_t *payload = m->cipher + aad_len, *icv = payload + len;

	pair_message(&pair, aad_len, len);
	for (i = 0; i < aad_len - alg->auth_tail; i++)
		check_flipped("another AAD", m->cipher + i);
	for (i = 0; i < len; i += 1 + random_below(&rng, len / 4 + 1))
		check_flipped("another payload", payload + i);
	for (i = 0; i < m->icv_len; i++)
		check_flipped("another ICV", icv + i);
	/* authenc has it authenticated by whom it is used, as part of the AAD */
	if (alg->auth_tail)
		check_flipped("another IV", m->iv + random_below(&rng, 8));

	if (len) {
		m->len--;
		check_verdict("a byte short", -EBADMSG);
		m->len += 2;
		check_verdict("a byte long", -EBADMSG);
		m->len = len;
	}
	check_verdict("the message itself", aad_len + len);
}

static void check_forged_key(void)
{
	const struct alg *alg = pair.alg;

	pair_message(&pair, alg->aads[0], 1024);
	pair.key[alg->key_byte] ^= 1;
	pair_reopen(&pair);
	check_verdict("another key", -EBADMSG);
	alg->encrypt(pair.key, pair.key_len, &pair.m);
	check_verdict("that key", alg->aads[0] + 1024);
}

static void test_forgeries(const struct alg *alg)
{
	const size_t *icv;
	unsigned int i;

	for (icv = alg->icvs; *icv; icv++) {
		/* With fewer bytes the wrong one is right too often. */
		if (*icv < 8)
			continue;
		pair_new(&pair, alg, aes_lens[*icv % 3], *icv, 0, &rng);
		for (i = 0; i < ARRAY_SIZE(usual_lens); i++)
			check_forgeries(usual_lens[i]);
		check_forged_key();
		pair_close(&pair);
	}
}

/* -- What nobody should ask for ------------------------------------------- */

/* Both implementations' answers to the same question */
static bool same_answer(int (*ask)(struct tfm *tfm, const void *, size_t),
			const void *arg, size_t len, int *answer)
{
	int theirs = ask(&pair.tfm[1], arg, len);

	*answer = ask(&pair.tfm[0], arg, len);
	if (*answer == theirs)
		return true;
	warnx("the answer is %d, the generic one's %d", *answer, theirs);
	return false;
}

static int set_key(struct tfm *tfm, const void *key, size_t len)
{
	return kcapi_aead_setkey(tfm->handle, key, len);
}

static int set_icv(struct tfm *tfm, const void *unused, size_t len)
{
	(void)unused;
	return kcapi_aead_settaglen(tfm->handle, len);
}

/* Keys of random bytes, and some that are nearly right: one byte of the head
 * is not, or the length.
 */
static void test_keys(const struct alg *alg)
{
	int answer, i, accepted = 0, refused = 0;
	uint8_t key[MAX_KEY];
	size_t len;

	pair_new(&pair, alg, 16, alg->icvs[0], 0, &rng);
	for (len = 0; len <= 80; len++) {
		random_fill(&rng, key, sizeof(key));
		if (!same_answer(set_key, key, len, &answer))
			errx(1, "to a key of %zu random bytes", len);
	}
	for (i = 0; i < 400; i++) {
		len = alg->make_key(key, 8 + 4 * random_below(&rng, 8), &rng);
		if (random_below(&rng, 2))
			key[random_below(&rng, 8)] += random_below(&rng, 20);
		if (random_below(&rng, 2))
			len += random_below(&rng, 9) - 4;
		if (!same_answer(set_key, key, len, &answer))
			errx(1, "to malformed key %d, of %zu bytes", i, len);
		answer ? refused++ : accepted++;
	}
	if (!accepted || !refused)
		errx(1, "%d keys accepted, %d refused: no test", accepted,
		     refused);
	pair_close(&pair);
}

static void test_icvs(const struct alg *alg)
{
	size_t len;
	int answer;

	pair_new(&pair, alg, 16, alg->icvs[0], 0, &rng);
	for (len = 0; len <= 40; len++) {
		if (!same_answer(set_icv, NULL, len, &answer))
			errx(1, "to an ICV of %zu bytes", len);
		if (answer == 0 && len > alg->max_icv)
			errx(1, "an ICV of %zu bytes is accepted", len);
	}
	pair_close(&pair);
}

/* AAD and payload of any length, valid or not: the same result from both */
static void check_any(enum op op, size_t aad_len, size_t len)
{
	uint8_t first[512];
	ssize_t ours, theirs;

	pair.m.aad_len = aad_len;
	pair.m.len = len;
	random_fill(&rng, pair.m.plain, aad_len + len);
	random_fill(&rng, pair.m.cipher, aad_len + len + pair.m.icv_len);
	ours = pair_transmit(&pair, &pair.tfm[0], op, &ways[0]);
	memcpy(first, out_buf, sizeof(first));
	theirs = pair_transmit(&pair, &pair.tfm[1], op, &ways[0]);
	if (ours != theirs || (ours > 0 && memcmp(first, out_buf, ours)))
		errx(1, "%s, AAD of %zu bytes, payload %zu: %zd; the generic one says %zd",
		     op == ENCRYPT ? "encrypt" : "decrypt", aad_len, len, ours,
		     theirs);
	/* What AF_ALG has not consumed would be in the next one's way. */
	if (ours < 0)
		pair_reopen(&pair);
}

static void test_invalid(const struct alg *alg)
{
	static const size_t aads[] = { 0, 1, 7, 8, 9, 15, 16, 17, 19, 20, 21,
				       24, 28, 63, 64, 65, 80 };
	static const size_t lens[] = { 0, 1, 8, 15, 16, 17, 31, 32, 100 };
	unsigned int a, i;

	pair_new(&pair, alg, 16, alg->icvs[0], 0, &rng);
	for (a = 0; a < ARRAY_SIZE(aads); a++)
		for (i = 0; i < ARRAY_SIZE(lens); i++) {
			check_any(ENCRYPT, aads[a], lens[i]);
			check_any(DECRYPT, aads[a], lens[i]);
		}
	pair_message(&pair, alg->aads[0], 64);
	pair_check(&pair, &ways[0]);
	pair_close(&pair);
}

/* ------------------------------------------------------------------------- */

static const struct {
	const char *name;
	void (*run)(const struct alg *alg);
} tests[] = {
	{ "sizes", test_sizes },
	{ "parallel", test_parallel },
	{ "forgeries", test_forgeries },
	{ "keys", test_keys },
	{ "icvs", test_icvs },
	{ "invalid", test_invalid },
};

static bool run(const char *name, const struct alg *alg)
{
	unsigned int i;

	for (i = 0; i < NR_WAYS; i++)
		if (strcmp(name, ways[i].name) == 0) {
			test_lengths(alg, i);
			return true;
		}
	for (i = 0; i < ARRAY_SIZE(tests); i++)
		if (strcmp(name, tests[i].name) == 0) {
			tests[i].run(alg);
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	unsigned int i;

	if (argc != 3)
		errx(2, "usage: kcapi ALG TEST");
	for (i = 0; i < NR_ALGS; i++)
		if (strcmp(argv[1], algs[i].name) == 0)
			break;
	if (i == NR_ALGS || !run(argv[2], &algs[i]))
		errx(2, "no algorithm %s or no test %s", argv[1], argv[2]);
	printf("offloadable: %lu %lu\n", pair_offloadable(ENCRYPT),
	       pair_offloadable(DECRYPT));
	return 0;
}
