// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecryptctl bench: what it expects is what libcrypto says, and it notices
 * when something else comes out.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "ctl/bench_rig.h"
#include "ktap.h"
#include "reference.h"

static void test_vectors(void)
{
	for (int i = 0; i < BENCH_VECTORS; i++) {
		const struct bench_vector *v = &bench_vectors[i];
		struct sa sa = { .alg = v->alg, .aes_len = v->key_len,
				 .auth_len = BENCH_AUTH };
		uint8_t data[2048], aad[BENCH_AAD], iv[16];

		for (uint32_t k = 0; k < sizeof(sa.aes); k++)
			sa.aes[k] = bench_key_byte(k);
		for (uint32_t k = 0; k < sa.auth_len; k++)
			sa.auth[k] = bench_auth_byte(k);
		for (uint32_t k = 0; k < sizeof(aad); k++)
			aad[k] = bench_aad_byte(k);
		for (uint32_t k = 0; k < sizeof(iv); k++)
			iv[k] = bench_iv_byte(v->alg, k);
		for (int n = 0; n < BENCH_LENGTHS; n++) {
			uint32_t len = bench_lengths[n];

			for (uint32_t k = 0; k < len; k++)
				data[k] = bench_payload_byte(k);
			reference(&sa, WAVECRYPT_OP_ENCRYPT, iv, data, len,
				  aad, sizeof(aad));
			EXPECT(!memcmp(data + len, v->tag[n], BENCH_TAG),
			       "vector %d, %u bytes", i, len);
		}
	}
}

static void test_check(void)
{
	struct bench_rig *rig = bench_rig_open();

	if (!EXPECT(rig, "no lanes"))
		return;
	for (int i = 0; i < BENCH_VECTORS; i++)
		EXPECT(bench_rig_check(rig, &bench_vectors[i]), "vector %d",
		       i);
	bench_rig_close(rig);
}

/* One bit that should be otherwise, of one length */
static void test_wrong(void)
{
	struct bench_rig *rig = bench_rig_open();

	if (!EXPECT(rig, "no lanes"))
		return;
	for (int i = 0; i < BENCH_VECTORS; i++) {
		for (int n = 0; n < BENCH_LENGTHS; n++) {
			struct bench_vector bad = bench_vectors[i];

			bad.tag[n][BENCH_TAG - 1] ^= 1;
			EXPECT(!bench_rig_check(rig, &bad),
			       "vector %d, length %d", i, n);
		}
	}
	bench_rig_close(rig);
}

static void test_speed(void)
{
	struct bench_rig *rig = bench_rig_open();

	if (!EXPECT(rig, "no lanes"))
		return;
	EXPECT(bench_rig_speed(rig, &bench_vectors[0], WAVECRYPT_OP_ENCRYPT,
			       1) > 0, "not measured");
	EXPECT(bench_rig_speed(rig, &bench_vectors[5], WAVECRYPT_OP_DECRYPT,
			       BENCH_PACKETS) > 0, "not measured");
	/* It is in order after that. */
	EXPECT(bench_rig_check(rig, &bench_vectors[5]), "out of order");
	bench_rig_close(rig);
}

int main(void)
{
	static const struct ktap_case cases[] = {
		{ "what is expected is what libcrypto says", test_vectors },
		{ "the lanes do what is expected", test_check },
		{ "what is not expected is noticed", test_wrong },
		{ "measuring leaves everything in order", test_speed },
		{ 0 },
	};

	return ktap_run(cases);
}
