// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecryptctl bench: what it expects is what libcrypto says, and it notices
 * when something else comes out.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/rig.h"
#include "ctl/bench_rig.h"
#include "ctl/doctor.h"
#include "ktap.h"
#include "reference.h"
#include "report/json.h"

/* What of it is compared; nothing where there is no ICV */
static uint32_t tag_len(const struct bench_vector *v)
{
	uint32_t len = algs[v->alg].icv_len;

	return len < BENCH_TAG ? len : BENCH_TAG;
}

static void test_vectors(void)
{
	for (unsigned int kind = 0; kind < ALG_KINDS; kind++)
		EXPECT(!alg_kind_exists(kind) || bench_vector_of(kind),
		       "no vector for %s, key of %u bits",
		       algs[alg_of_kind(kind)].label,
		       8 * alg_key_len_of_kind(kind));
	for (int i = 0; bench_vectors[i].alg; i++) {
		const struct bench_vector *v = &bench_vectors[i];
		struct sa sa = { .alg = v->alg, .aes_len = v->key_len,
				 .auth_len = RIG_AUTH };
		uint8_t data[2048], aad[BENCH_AAD], iv[16];

		for (uint32_t k = 0; k < sizeof(sa.aes); k++)
			sa.aes[k] = rig_key_byte(0, k);
		for (uint32_t k = 0; k < sa.auth_len; k++)
			sa.auth[k] = rig_auth_byte(0, k);
		for (uint32_t k = 0; k < sizeof(aad); k++)
			aad[k] = rig_aad_byte(k);
		rig_iv(v->alg, iv);
		for (int n = 0; n < BENCH_LENGTHS; n++) {
			uint32_t len = bench_lengths[n];

			for (uint32_t k = 0; k < len; k++)
				data[k] = rig_payload_byte(k);
			reference(&sa, WAVECRYPT_OP_ENCRYPT, iv, data, len,
				  aad, sizeof(aad));
			EXPECT(!memcmp(data + len, v->tag[n], tag_len(v)),
			       "vector %d, %u bytes", i, len);
		}
	}
}

static void test_check(void)
{
	struct bench_rig *rig = bench_rig_open();

	if (!EXPECT(rig, "no lanes"))
		return;
	for (int i = 0; bench_vectors[i].alg; i++)
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
	for (int i = 0; bench_vectors[i].alg; i++) {
		for (int n = 0; n < BENCH_LENGTHS; n++) {
			struct bench_vector bad = bench_vectors[i];

			if (!tag_len(&bad))
				continue;

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
	for (unsigned int kind = 0; kind < ALG_KINDS; kind++)
		if (alg_kind_exists(kind))
			EXPECT(bench_rig_speed(rig, kind, 1) > 0 &&
			       bench_rig_speed(rig, kind, BENCH_PACKETS) > 0,
			       "kind %u not measured", kind);
	/* It is in order after that. */
	EXPECT(bench_rig_check(rig, &bench_vectors[5]), "out of order");
	bench_rig_close(rig);
}

/* Of proposals that SAs have, each once; with ESN they are kinds of the same packets */
static void test_gain(void)
{
	static const char *const starts[] = {
		"aes128-sha1 (2 SAs) ", "aes256-sha512-esn (1 SA) ",
	};
	struct doctor d = { .findings = json_array() };
	json_t *sas = json_pack("[{s:s,s:s,s:i},{s:s,s:s,s:i},{s:s,s:s,s:i},{s:s,s:i}]",
				"proposal", "aes128-sha1", "algorithm",
				"authenc(hmac(sha1),cbc(aes))", "key_bits", 128,
				"proposal", "aes128-sha1", "algorithm",
				"authenc(hmac(sha1),cbc(aes))", "key_bits", 128,
				"proposal", "aes256-sha512-esn", "algorithm",
				"authencesn(hmac(sha512),cbc(aes))", "key_bits", 256,
				"algorithm", "rfc4543(gcm(aes))", "key_bits", 128);

	doctor_gain(&d, sas);
	EXPECT(json_array_size(d.findings) == 2, "%zu findings",
	       json_array_size(d.findings));
	for (size_t i = 0; i < json_array_size(d.findings) && i < 2; i++) {
		const json_t *finding = json_array_get(d.findings, i);
		const char *said = text(finding, "finding");

		EXPECT(!strcmp(text(finding, "check"), "gain"), "%s",
		       text(finding, "check"));
		EXPECT(!strncmp(said, starts[i], strlen(starts[i])), "%s", said);
		EXPECT(!strstr(said, " 0.0 times"), "%s", said);
	}
	json_decref(d.findings);
	json_decref(sas);
}

int main(void)
{
	static const struct ktap_case cases[] = {
		{ "what is expected is what libcrypto says", test_vectors },
		{ "the lanes do what is expected", test_check },
		{ "what is not expected is noticed", test_wrong },
		{ "measuring leaves everything in order", test_speed },
		{ "what the proposals of SAs gain", test_gain },
		{ 0 },
	};

	return ktap_run(cases);
}
