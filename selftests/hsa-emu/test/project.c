// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The project's own kernels, both ways of running them, against libcrypto
 *
 * Usage: project CODE-OBJECT [PACKETS [LENGTH ALGORITHM DIRECTION KEY-BYTES]]
 *
 * With a length (a multiple of 16): packets of that one alone, of one kind, once;
 * so that what HSA_EMU_STATS counts is theirs.
 */
#define OPENSSL_API_COMPAT 0x10100000L

#include <endian.h>
#include <openssl/aes.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gpu.h>

#include "../gcn/types.h"
#include "harness.h"

enum {
	SLOT = 2048,		/* bytes of the arena for each packet */
	HEAD = 64,		/* of these, before the payload */
	LONGEST = 1500,
	KEYS = 7,
	GROUPS_MAX = 64,
};

static struct gpu gpu;

/* One SA */
struct sa {
	u8 key[32], mac[20], salt[4];
	unsigned int key_len;
};

static struct sa sas[KEYS];

static void random_bytes(void *to, size_t size)
{
	for (size_t k = 0; k < size; k++)
		((u8 *)to)[k] = (u8)test_random();
}

static void hmac_states(const struct sa *sa, struct wavecrypt_key *key)
{
	u8 block[64] = { 0 };
	SHA_CTX c;

	memcpy(block, sa->mac, sizeof(sa->mac));
	for (unsigned int k = 0; k < 64; k++)
		block[k] ^= 0x36;
	SHA1_Init(&c);
	SHA1_Update(&c, block, 64);
	memcpy(key->inner, (u32[]) { c.h0, c.h1, c.h2, c.h3, c.h4 }, 20);
	for (unsigned int k = 0; k < 64; k++)
		block[k] ^= 0x36 ^ 0x5c;
	SHA1_Init(&c);
	SHA1_Update(&c, block, 64);
	memcpy(key->outer, (u32[]) { c.h0, c.h1, c.h2, c.h3, c.h4 }, 20);
}

/* FIPS-197, 5.2. The S-box is had from a cipher that has it. */
static void expand(const struct sa *sa, u8 *enc)
{
	unsigned int words = sa->key_len / 4, total = 4 * (words + 7);
	u8 sbox[256], rcon = 1;
	AES_KEY k;
	u8 w[4];

	/*
	 * One round of AES on equal bytes, told from the schedule of a key of
	 * such: word 4 of an AES-128 key is word 0 ^ SubWord(RotWord(word 3)) ^ rcon.
	 */
	for (unsigned int b = 0; b < 256; b++) {
		u8 key[16];

		memset(key, (int)b, sizeof(key));
		AES_set_encrypt_key(key, 128, &k);
		sbox[b] = (u8)((u8 *)&k.rd_key[4])[1] ^ (u8)b;
	}
	memcpy(enc, sa->key, sa->key_len);
	for (unsigned int n = words; n < total; n++) {
		memcpy(w, enc + 4 * n - 4, 4);
		if (n % words == 0) {
			u8 first = w[0];

			w[0] = sbox[w[1]] ^ rcon;
			w[1] = sbox[w[2]];
			w[2] = sbox[w[3]];
			w[3] = sbox[first];
			rcon = (u8)(rcon << 1 ^ (rcon >> 7) * 0x1b);
		} else if (words > 6 && n % words == 4) {
			for (unsigned int j = 0; j < 4; j++)
				w[j] = sbox[w[j]];
		}
		for (unsigned int j = 0; j < 4; j++)
			enc[4 * n + j] = enc[4 * (n - words) + j] ^ w[j];
	}
}

static void make_key(struct sa *sa, struct wavecrypt_gpu_key *to, unsigned int alg,
		     unsigned int key_len)
{
	struct wavecrypt_key key = { .gen = 1, .alg = (u16)alg, .key_len = (u16)key_len };
	u8 zero[16] = { 0 };
	AES_KEY k;

	random_bytes(sa, sizeof(*sa));
	sa->key_len = key_len;
	expand(sa, key.enc);
	AES_set_encrypt_key(sa->key, (int)key_len * 8, &k);
	AES_encrypt(zero, key.hash_key, &k);
	hmac_states(sa, &key);
	wavecrypt_gpu_key_init(to, &key);
}

static const EVP_CIPHER *cipher(unsigned int alg, unsigned int key_len)
{
	if (alg == WAVECRYPT_ALG_GCM)
		return key_len == 16 ? EVP_aes_128_gcm() : key_len == 24 ? EVP_aes_192_gcm() :
		       EVP_aes_256_gcm();
	return key_len == 16 ? EVP_aes_128_cbc() : key_len == 24 ? EVP_aes_192_cbc() :
	       EVP_aes_256_cbc();
}

/* What it should become: the payload in place, and its ICV */
static void expect(const struct sa *sa, const struct wavecrypt_desc *d, u8 *payload, u8 *icv)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	bool encrypt = d->op == WAVECRYPT_OP_ENCRYPT, gcm = d->alg == WAVECRYPT_ALG_GCM;
	u8 in[LONGEST + HEAD];
	unsigned int n;
	int len;

	memcpy(in, payload - d->aad_len, d->aad_len + d->len);
	/* GCM authenticates the ciphertext: to have a tag, encrypt what comes out. */
	EVP_CipherInit_ex(ctx, cipher(d->alg, sa->key_len), NULL, sa->key, d->iv, encrypt);
	EVP_CIPHER_CTX_set_padding(ctx, 0);
	if (gcm)
		EVP_CipherUpdate(ctx, NULL, &len, in, d->aad_len);
	EVP_CipherUpdate(ctx, payload, &len, in + d->aad_len, (int)d->len);
	if (!gcm) {
		if (encrypt)
			memcpy(in + d->aad_len, payload, d->len);
		HMAC(EVP_sha1(), sa->mac, 20, in, d->aad_len + d->len, icv, &n);
	} else {
		if (!encrypt) {
			EVP_CipherInit_ex(ctx, NULL, NULL, sa->key, d->iv, 1);
			EVP_CipherUpdate(ctx, NULL, &len, in, d->aad_len);
			EVP_CipherUpdate(ctx, in, &len, payload, (int)d->len);
		}
		EVP_CipherFinal_ex(ctx, in, &len);
		EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_GCM_GET_TAG, 16, icv);
	}
	EVP_CIPHER_CTX_free(ctx);
}

/* A batch: packets of one kind in groups, and what should become of them */
struct batch {
	struct wavecrypt_gpu_group *groups;
	struct wavecrypt_gpu_packet *packets;
	struct wavecrypt_gpu_key *keys;
	u8 *arena, *should;
	unsigned int nr, nr_groups;
};

static void batch_alloc(struct batch *b, unsigned int nr)
{
	b->nr = nr;
	b->groups = gpu_alloc(&gpu, GROUPS_MAX * sizeof(*b->groups));
	b->packets = gpu_alloc(&gpu, nr * sizeof(*b->packets));
	b->keys = gpu_alloc(&gpu, KEYS * sizeof(*b->keys));
	b->arena = gpu_alloc(&gpu, (size_t)nr * SLOT);
	b->should = malloc((size_t)nr * SLOT);
}

/* @len: of each packet; 0: any */
static void batch_fill(struct batch *b, unsigned int alg, unsigned int op, unsigned int key_len,
		       unsigned int len)
{
	b->nr_groups = 0;
	random_bytes(b->arena, (size_t)b->nr * SLOT);
	for (unsigned int k = 0; k < KEYS; k++)
		make_key(&sas[k], &b->keys[k], alg, key_len);
	memcpy(b->should, b->arena, (size_t)b->nr * SLOT);
	for (unsigned int n = 0; n < b->nr; n++) {
		struct wavecrypt_desc d = {
			.data = n * SLOT + HEAD, .alg = (u8)alg, .op = (u8)op,
			.key = test_random() % KEYS,
		};
		struct wavecrypt_gpu_group *g = &b->groups[b->nr_groups - 1];

		/* What ESP sends: with an IV, and numbers of 32 or 64 bits */
		d.aad_len = alg == WAVECRYPT_ALG_GCM ? test_random() & 1 ? 8 : 12 : 24;
		d.len = test_random() % LONGEST + 1;
		if (alg == WAVECRYPT_ALG_CBC_SHA1) {
			d.len = (d.len + 15) / 16 * 16;
			d.aad_len = op == WAVECRYPT_OP_ENCRYPT ? 8 : 24;
		}
		if (d.len > LONGEST)
			d.len -= 16;
		if (len)
			d.len = len;
		random_bytes(d.iv, 16);
		if (alg == WAVECRYPT_ALG_GCM)
			memcpy(d.iv + 12, (u8[]) { 0, 0, 0, 1 }, 4);
		wavecrypt_gpu_packet_init(&b->packets[n], &d);
		if (!n || !wavecrypt_gpu_group_add(g, &wavecrypt_gpu_narrow, d.len)) {
			g = &b->groups[b->nr_groups++];
			wavecrypt_gpu_group_init(g, alg, op, key_len, n);
			wavecrypt_gpu_group_add(g, &wavecrypt_gpu_narrow, d.len);
		}
		expect(&sas[d.key], &d, b->should + d.data, b->should + d.data + d.len);
	}
}

static bool batch_check(const struct batch *b)
{
	for (unsigned int n = 0; n < b->nr; n++)
		if (memcmp(b->arena + n * SLOT, b->should + n * SLOT, SLOT)) {
			unsigned int k = 0;

			while (b->arena[n * SLOT + k] == b->should[n * SLOT + k])
				k++;
			printf("# packet %u of %u bytes differs from byte %d on\n", n,
			       b->packets[n].len, (int)k - HEAD);
			return false;
		}
	return true;
}

static bool run_batch(struct batch *b)
{
	struct { void *groups, *packets, *keys, *data, *icv; } args = {
		b->groups, b->packets, b->keys, b->arena, b->arena
	};

	return gpu_run(&gpu, &(struct shot) {
		.kernel = "wavecrypt_batch", .group = { wavecrypt_gpu_narrow.lanes },
		.grid = { b->nr_groups * wavecrypt_gpu_narrow.lanes }, .args = &args,
		.args_size = sizeof(args),
	}) && batch_check(b);
}

/* The persistent kernel and its ring */
struct persistent {
	struct wavecrypt_gpu_ring *ring;
	struct wavecrypt_gpu_group *groups;
	hsa_signal_t signal;
	u32 tail;
};

static void persistent_start(struct persistent *p, const struct batch *b)
{
	p->ring = gpu_alloc(&gpu, sizeof(*p->ring));
	p->groups = gpu_alloc(&gpu, GROUPS_MAX * sizeof(*p->groups));
	memset(p->ring, 0, sizeof(*p->ring));
	memset(p->groups, 0, GROUPS_MAX * sizeof(*p->groups));
	p->ring->mask = GROUPS_MAX - 1;
	p->tail = 0;

	struct { void *ring, *groups, *packets, *keys, *data, *icv; } args = {
		p->ring, p->groups, b->packets, b->keys, b->arena, b->arena
	};

	p->signal = gpu_submit(&gpu, &(struct shot) {
		.kernel = "wavecrypt_persistent", .group = { wavecrypt_gpu_narrow.lanes },
		.grid = { 4 * wavecrypt_gpu_narrow.lanes }, .args = &args,
		.args_size = sizeof(args),
	});
}

static bool persistent_run(struct persistent *p, const struct batch *b)
{
	u32 first = p->tail;

	for (unsigned int g = 0; g < b->nr_groups; g++)
		p->groups[p->tail++ & p->ring->mask] = b->groups[g];
	__atomic_store_n(&p->ring->tail, p->tail, __ATOMIC_RELEASE);
	for (u32 g = first; g < p->tail; g++)
		while (__atomic_load_n(&p->groups[g & p->ring->mask].done, __ATOMIC_ACQUIRE) !=
		       g + 1) {
			if (__atomic_load_n(&gpu.error, __ATOMIC_ACQUIRE))
				return false;
			usleep(50);
		}
	return batch_check(b);
}

static bool persistent_stop(struct persistent *p)
{
	__atomic_store_n(&p->ring->stop, 1, __ATOMIC_RELEASE);
	return gpu_wait(&gpu, p->signal);
}

static const char *const algs[] = { NULL, "cbc-sha1", "gcm" };
static const char *const ops[] = { "encrypt", "decrypt" };

static unsigned int number(const char *text, unsigned int max)
{
	unsigned int n = (unsigned int)atoi(text);

	return n < max ? n : max;
}

/* One kind, one length */
static void run_one(struct batch *b, char **args)
{
	unsigned int len = number(args[0], LONGEST), alg = number(args[1], 2);
	unsigned int op = number(args[2], 1), key_len = number(args[3], 32);

	batch_fill(b, alg, op, key_len, len);
	test(run_batch(b), "%s: %s %s, AES-%u, %u packets of %u bytes", gpu.name, algs[alg],
	     ops[op], key_len * 8, b->nr, len);
}

static void run_all(struct batch *b)
{
	static struct persistent p;

	for (unsigned int persistent = 0; persistent < 2; persistent++) {
		if (persistent)
			persistent_start(&p, b);
		for (unsigned int alg = 1; alg <= 2; alg++)
			for (unsigned int op = 0; op < 2; op++)
				for (unsigned int key_len = 16; key_len <= 32; key_len += 8) {
					batch_fill(b, alg, op, key_len, 0);
					test(persistent ? persistent_run(&p, b) : run_batch(b),
					     "%s: %s %s, AES-%u, %u packets, %s", gpu.name,
					     algs[alg], ops[op], key_len * 8, b->nr,
					     persistent ? "persistent" : "dispatched");
				}
	}
	test(persistent_stop(&p), "%s: the persistent kernel leaves", gpu.name);
}

int main(int argc, char **argv)
{
	static struct batch b;

	if (argc != 2 && argc != 3 && argc != 7)
		return 2;
	printf("KTAP version 1\n");
	gpu_open(&gpu, argv[1]);
	batch_alloc(&b, argc > 2 ? number(argv[2], 100000) : 40);
	if (argc == 7)
		run_one(&b, argv + 3);
	else
		run_all(&b);
	free(b.should);
	gpu_close(&gpu);
	return tests_end();
}
