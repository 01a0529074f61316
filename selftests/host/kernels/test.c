// SPDX-License-Identifier: GPL-2.0-only
/*
 * The kernels against OpenSSL.
 *
 *	test hosted|batch|persistent [few | wycheproof DIRECTORY]
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "batch.h"
#include "channel/alg.h"
#include "known.h"
#include "wycheproof.h"

/* An engine slow as an interpreter gets few packets: those around edges. */
static bool few;

/* What a bin is */
struct bin {
	unsigned int alg, op, key_len;
};

/* Bin @i of those that there are */
static struct bin bin(unsigned int i)
{
	return (struct bin) {
		.alg = alg_of_kind(i),
		.op = alg_op_of_kind(i),
		.key_len = alg_key_len_of_kind(i),
	};
}

/* The bytes of AAD that ESP has: SPI and sequence number, and for CBC the IV */
static size_t usual_aad(const struct bin *bin)
{
	return algs[bin->alg].cipher == CIPHER_CBC ? 24 : 8;
}

/* The longest possible payload that is not longer than @len */
static size_t possible(const struct bin *bin, size_t len)
{
	return len / algs[bin->alg].block * algs[bin->alg].block;
}

static bool is_edge(size_t len)
{
	return len <= 80 || (len < 520 && (len + 1) % 64 < 3) || (len + 1) % 1408 < 3;
}

/*
 * Ciphers and hashes do not know of each other where they take turns: each with one
 * of the others at all lengths is enough, and what pads is the same from block to
 * block.
 */
static bool is_thorough(const struct bin *bin)
{
	return algs[bin->alg].block > 1 || algs[bin->alg].auth != AUTH_HMAC_SHA1 ?
	       algs[bin->alg].cipher != CIPHER_CTR : bin->op == WAVECRYPT_OP_ENCRYPT;
}

/* With and without extended sequence numbers: of long ones, every other */
static bool every_length(struct batch *batch, const struct bin *bin)
{
	unsigned int keys[2];

	batch_begin(batch, bin->op == WAVECRYPT_OP_ENCRYPT ? IN_PLACE : PACKED, 0);
	for (int esn = 0; esn < 2; esn++)
		keys[esn] = batch_key(batch, bin->alg, bin->key_len, esn);
	for (size_t len = 0; len <= 9000; len++) {
		const size_t nr = len / algs[bin->alg].block;

		if (len != possible(bin, len) ||
		    ((few || (len > 600 && !is_thorough(bin))) && !is_edge(len)))
			continue;
		if (!batch_add(batch, keys[nr % 2], bin->op, len, usual_aad(bin)) ||
		    (len <= 600 && algs[bin->alg].seq_hi &&
		     !batch_add(batch, keys[!(nr % 2)], bin->op, len, usual_aad(bin))))
			return false;
	}
	return batch_add(batch, keys[1], bin->op, possible(bin, WAVECRYPT_GPU_MAX_LEN),
			 usual_aad(bin)) && batch_run(batch);
}

static bool every_aad(struct batch *batch, const struct bin *bin)
{
	static const unsigned int lens[] = {
		0, 1, 4, 15, 16, 17, 31, 32, 33, 48, 63, 64, 65, 80, 96, 112, 127, 128, 129,
		256, 1408,
	};

	for (unsigned int layout = IN_PLACE; layout <= PACKED; layout++) {
		unsigned int key;

		batch_begin(batch, layout, 0);
		key = batch_key(batch, bin->alg, bin->key_len, layout == PACKED);
		for (size_t aad = 0; aad <= WAVECRYPT_GPU_MAX_AAD; aad += few ? 7 : 1)
			for (size_t i = 0; i < sizeof(lens) / sizeof(lens[0]) - few; i++)
				if (lens[i] == possible(bin, lens[i]) &&
				    !batch_add(batch, key, bin->op, lens[i], aad))
					return false;
		if (!batch_run(batch))
			return false;
	}
	return true;
}

/* Groups of one packet, of two and so on to the largest, each of its own lengths */
static bool every_group(struct batch *batch, const struct bin *bin)
{
	const unsigned int max = wavecrypt_gpu_packets(batch->engine->shape, bin->alg, bin->op);

	for (unsigned int limit = 1; limit <= max; limit += few ? max - 1 : 1) {
		unsigned int key;

		batch_begin(batch, IN_PLACE, limit);
		key = batch_key(batch, bin->alg, bin->key_len, true);
		for (unsigned int i = 0; i < limit + limit / 2; i++)
			if (!batch_add(batch, key, bin->op, possible(bin, 100 + limit), 8))
				return false;
		if (!batch_run(batch))
			return false;
	}
	return true;
}

static size_t any_length(const struct bin *bin)
{
	const size_t max = few ? 600 : random_below(8) ? 1500 : 9000;

	return possible(bin, random_below(max));
}

static bool mixed(struct batch *batch, const struct bin *bin)
{
	unsigned int key;

	batch_begin(batch, PACKED, 0);
	key = batch_key(batch, bin->alg, bin->key_len, true);
	for (unsigned int i = 0; i < (few ? 130 : 500); i++)
		if (!batch_add(batch, key, bin->op, any_length(bin), usual_aad(bin)))
			return false;
	return batch_run(batch);
}

static bool many_keys(struct batch *batch, const struct bin *bin)
{
	batch_begin(batch, IN_PLACE, 0);
	for (unsigned int i = 0; i < (few ? 130 : 500); i++)
		if (!batch_add(batch, batch_key(batch, bin->alg, bin->key_len, i % 2), bin->op,
			       possible(bin, 200), usual_aad(bin)))
			return false;
	return batch_run(batch);
}

/* A full chunk for all bins at once, a few keys each, groups as they come */
static bool chunk(struct batch *batch, enum layout layout)
{
	unsigned int packets = 0;

	batch_begin(batch, layout, 0);
	for (unsigned int b = 0; b < ALG_KINDS; b++) {
		const struct bin this = bin(b);
		unsigned int keys[7];

		if (!alg_kind_exists(b))
			continue;
		for (unsigned int i = 0; i < 7; i++)
			keys[i] = batch_key(batch, this.alg, this.key_len, i % 2);
		for (; packets < (few ? 10 : 4096 / ALG_KINDS) * (b + 1); packets++)
			if (!batch_add(batch, keys[random_below(7)], this.op,
				       any_length(&this), random_below(65)))
				return false;
	}
	return batch_run(batch);
}

static unsigned int tests, failed;

static void result(bool ok, const char *name)
{
	tests++;
	failed += !ok;
	printf("%sok %u %s\n", ok ? "" : "not ", tests, name);
	fflush(stdout);
}

/* Few: what depends on the key's length is the cipher, with whatever hash. */
static bool is_wanted(unsigned int kind)
{
	const unsigned int alg = alg_of_kind(kind);

	return alg_kind_exists(kind) &&
	       (!few || algs[alg].auth == AUTH_HMAC_SHA1 || alg == WAVECRYPT_ALG_GCM ||
		alg_key_len_of_kind(kind) != 24);
}

static void test_bin(struct batch *batch, const struct bin *bin)
{
	static const struct {
		const char *name;
		bool (*run)(struct batch *batch, const struct bin *bin);
	} kinds[] = {
		{ "every length", every_length },
		{ "every length of AAD", every_aad },
		{ "groups of every size", every_group },
		{ "groups of mixed lengths", mixed },
		{ "a key for each packet", many_keys },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char name[100];

		snprintf(name, sizeof(name), "%s %s, key of %u bits: %s", algs[bin->alg].label,
			 bin->op == WAVECRYPT_OP_ENCRYPT ? "encrypt" : "decrypt",
			 8 * bin->key_len, kinds[i].name);
		result(kinds[i].run(batch, bin), name);
	}
}

static const char *open_engine(struct engine *engine, const char *which)
{
	return !strcmp(which, "hosted") ? engine_hosted(engine) :
	       !strcmp(which, "batch") ? engine_batch(engine) :
	       !strcmp(which, "persistent") ? engine_persistent(engine) :
	       "usage: test hosted|batch|persistent [few | wycheproof DIRECTORY]";
}

/* Returns false, and says why, if there is an error */
static bool no_error(const char *error)
{
	if (error)
		printf("# %s\n", error);
	return !error;
}

/* Instead of all else: known answers of Project Wycheproof's */
static bool wycheproof(struct engine *engine, const char *dir)
{
	unsigned int nr = 0, wrong = 0;
	const struct vector *known = wycheproof_read(dir, &nr);

	for (unsigned int i = 0; i < nr; i++)
		if (!known_answer(engine, &known[i])) {
			printf("# %s\n", known[i].name);
			wrong++;
		}
	return nr && !wrong;
}

int main(int argc, char **argv)
{
	const char *which = argc > 1 ? argv[1] : "";
	struct engine engine = { 0 };
	struct batch batch;
	const char *error;

	few = argc > 2 && !strcmp(argv[2], "few");
	printf("KTAP version 1\n");
	error = open_engine(&engine, which);
	if (!error && !batch_init(&batch, &engine))
		error = "no memory";
	if (error) {
		printf("Bail out! %s\n", error);
		return 1;
	}
	printf("# %s\n", engine.name);

	if (argc > 3 && !strcmp(argv[2], "wycheproof")) {
		result(wycheproof(&engine, argv[3]), "Wycheproof's HMAC and ChaCha20-Poly1305");
		result(no_error(engine.close(&engine)), "the end");
		batch_free(&batch);
		printf("1..%u\n", tests);
		return failed != 0;
	}
	for (unsigned int i = 0; i < nr_vectors; i++)
		result(known_answer(&engine, &vectors[i]), vectors[i].name);
	for (unsigned int i = 0; i < ALG_KINDS; i++) {
		const struct bin this = bin(i);

		if (is_wanted(i))
			test_bin(&batch, &this);
	}
	result(chunk(&batch, IN_PLACE), "a full chunk of all bins, in place");
	result(chunk(&batch, PACKED), "a full chunk of all bins, packed");
	printf("# %llu bytes of payload\n", (unsigned long long)batch.bytes);
	result(no_error(engine.close(&engine)), "the end");
	if (!strcmp(which, "persistent")) {
		result(no_error(open_engine(&engine, which)) && chunk(&batch, IN_PLACE),
		       "started again: a full chunk of all bins");
		result(no_error(engine.close(&engine)), "the end again");
	}
	batch_free(&batch);
	printf("1..%u\n", tests);
	return failed != 0;
}
