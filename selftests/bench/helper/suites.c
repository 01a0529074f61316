// SPDX-License-Identifier: GPL-2.0-only
/*
 * What there would be to gain: libipsec-mb's lanes by themselves, 64 packets of 1408
 * bytes side by side, and the best that one packet at a time can be, OpenSSL's
 * AES-CBC with HMAC-SHA-1 or SHA-256 stitched into it. "fused" are the library's jobs,
 * of which each goes from the cipher's lanes to the hash's as soon as it can, where the
 * helper has all packets done by the one and then by the other.
 *
 * Prints algorithm, direction, and nanoseconds per packet: the least of some rounds.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <openssl/evp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"
#include "channel/loopback.h"
#include "lib/clock.h"

#define PACKETS	64
#define LEN	1408u
#define SLOT	2048u
#define ROUNDS	200

static struct wavecrypt_key *key;
static uint8_t *slots;
static struct wavecrypt_desc desc;
static struct packet packet[PACKETS];
static struct packet *packets[PACKETS];
static struct IMB_JOB jobs[PACKETS];

static const char *const op_name[WAVECRYPT_OPS] = { "encrypt", "decrypt" };

static void prepare(uint8_t alg, uint8_t op)
{
	static const uint8_t secret[128] = "as long a key as there is";
	uint16_t key_len = alg_has_key_len(alg, 16) ? 16 :
			   alg_has_key_len(alg, 32) ? 32 : 0;

	if (!loopback_key_set(key, 1, alg, secret, key_len, secret,
			      algs[alg].icv_len))
		exit(1);
	for (uint32_t i = 0; i < PACKETS; i++) {
		packet[i] = (struct packet) {
			.data = slots + i * SLOT + WAVECRYPT_HEADROOM,
			.key = key,
			.key_gen = 1,
			.key_len = key_len,
			.iv = desc.iv,
			.len = LEN,
			.aad_len = 8,
			.auth_len = algs[alg].auth == AUTH_NONE ? 0 : 8 + LEN,
			.alg = alg,
			.op = op,
		};
		packets[i] = &packet[i];
	}
}

static void fused_run(struct IMB_MGR *mgr, uint8_t op)
{
	struct IMB_JOB *burst[PACKETS];
	uint32_t left = PACKETS;

	if (IMB_GET_NEXT_BURST(mgr, PACKETS, burst) != PACKETS)
		exit(1);
	for (uint32_t i = 0; i < PACKETS; i++) {
		/* As cpu_run() has filled it, and what a job needs besides */
		*burst[i] = jobs[i];
		burst[i]->key_len_in_bytes = packet[i].key_len;
		burst[i]->cipher_direction = op ? IMB_DIR_DECRYPT : IMB_DIR_ENCRYPT;
		burst[i]->chain_order = op ? IMB_ORDER_HASH_CIPHER : IMB_ORDER_CIPHER_HASH;
	}
	left -= IMB_SUBMIT_BURST_NOCHECK(mgr, PACKETS, burst);
	while (left)
		left -= IMB_FLUSH_BURST(mgr, left, burst);
}

/* Ends the program where the two ways do not come to the same. */
static void fused_check(struct cpu_work *work, int width, uint8_t op)
{
	uint8_t *wanted = malloc(PACKETS * SLOT);

	if (!wanted)
		exit(1);
	memset(slots, 0x5a, PACKETS * SLOT);
	cpu_run(work, width, packets, PACKETS);
	memcpy(wanted, slots, PACKETS * SLOT);
	memset(slots, 0x5a, PACKETS * SLOT);
	fused_run(work->mgr[width], op);
	if (memcmp(wanted, slots, PACKETS * SLOT))
		exit(1);
	free(wanted);
}

/* The fastest width */
static double lanes(uint8_t alg, uint8_t op, bool fused)
{
	uint64_t best = UINT64_MAX;

	prepare(alg, op);
	for (int width = 0; width < CPU_WIDTHS; width++) {
		struct cpu_work work = { .jobs = jobs };

		work.mgr[width] = cpu_manager(&imb_linked, width);
		if (!work.mgr[width])
			continue;
		if (!gcm_keys_init(&work.keys, key, 1))
			exit(1);
		if (fused)
			fused_check(&work, width, op);
		for (int round = 0; round < ROUNDS; round++) {
			uint64_t start = clock_ticks(), took;

			if (fused)
				fused_run(work.mgr[width], op);
			else
				cpu_run(&work, width, packets, PACKETS);
			took = clock_ticks() - start;
			if (took < best)
				best = took;
		}
		gcm_keys_exit(&work.keys);
		free_mb_mgr(work.mgr[width]);
	}
	return (double)clock_ns_of(best) / PACKETS;
}

/* TLS's way, which encrypts what it has authenticated: as much work */
static double stitched(const EVP_CIPHER *cipher, int encrypt)
{
	static const uint8_t secret[64] = "a key";
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	uint64_t best = UINT64_MAX;
	uint8_t iv[16] = { 0 };

	if (!ctx || !cipher ||
	    !EVP_CipherInit_ex(ctx, cipher, NULL, secret, iv, encrypt) ||
	    EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_MAC_KEY, 32,
				(void *)secret) <= 0)
		return 0;
	for (int round = 0; round < ROUNDS * 10; round++) {
		uint64_t start = clock_ticks(), took;

		if (EVP_Cipher(ctx, slots, slots, LEN) <= 0)
			return 0;
		took = clock_ticks() - start;
		if (took < best)
			best = took;
	}
	EVP_CIPHER_CTX_free(ctx);
	return clock_ns_of(best);
}

int main(void)
{
	double ns;

	clock_setup();
	key = aligned_alloc(WAVECRYPT_LINE, sizeof(*key));
	slots = aligned_alloc(WAVECRYPT_LINE, PACKETS * SLOT);
	if (!key || !slots)
		return 1;
	memset(slots, 0x5a, PACKETS * SLOT);
	for (unsigned int alg = 0; alg < WAVECRYPT_ALGS; alg++)
		for (uint8_t op = 0; alg_exists(alg) && op < WAVECRYPT_OPS; op++) {
			printf("%s %s %.0f\n", algs[alg].label, op_name[op],
			       lanes(alg, op, false));
			if (algs[alg].cipher == CIPHER_CBC && algs[alg].auth != AUTH_NONE)
				printf("%s %s_fused %.0f\n", algs[alg].label,
				       op_name[op], lanes(alg, op, true));
		}
	/* Encryption alone is stitched, in every version. */
	ns = stitched(EVP_aes_128_cbc_hmac_sha1(), 1);
	if (ns > 0)
		printf("cbc-sha1 encrypt_stitched %.0f\n", ns);
	ns = stitched(EVP_aes_128_cbc_hmac_sha256(), 1);
	if (ns > 0)
		printf("cbc-sha256 encrypt_stitched %.0f\n", ns);
	return 0;
}
