// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecryptctl bench: what it expects is what libcrypto says, and it notices
 * when something else comes out.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "backends/rig.h"
#include "ctl/bench_rig.h"
#include "ctl/doctor.h"
#include "ktap.h"
#include "lib/array.h"
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

static json_t *some_sas(void)
{
	return json_pack("[{s:s,s:s,s:i},{s:s,s:s,s:i},{s:s,s:s,s:i},{s:s,s:i}]",
			 "proposal", "aes128-sha1", "algorithm",
			 "authenc(hmac(sha1),cbc(aes))", "key_bits", 128,
			 "proposal", "aes128-sha1", "algorithm",
			 "authenc(hmac(sha1),cbc(aes))", "key_bits", 128,
			 "proposal", "aes256-sha512-esn", "algorithm",
			 "authencesn(hmac(sha512),cbc(aes))", "key_bits", 256,
			 "algorithm", "rfc4543(gcm(aes))", "key_bits", 128);
}

/* What doctor finds with a root of its own, in which the module has said this of routes */
static json_t *findings_with(const char *route)
{
	static const char *const dirs[] = { "sys", "sys/kernel", "sys/kernel/debug",
					    "sys/kernel/debug/wavecrypt" };
	char root[] = "/tmp/test_bench.XXXXXX", path[128];
	struct doctor d = { .findings = json_array() };
	struct ctl ctl = { .root = mkdtemp(root) };
	json_t *sas = some_sas();
	FILE *f;

	for (size_t i = 0; i < ARRAY_SIZE(dirs); i++) {
		snprintf(path, sizeof(path), "%s/%s", root, dirs[i]);
		EXPECT(!mkdir(path, 0700), "%s: no such directory", path);
	}
	strcat(path, "/route");
	f = fopen(path, "we");
	if (EXPECT(f, "cannot write %s", path)) {
		fputs(route, f);
		fclose(f);
	}
	d.ctl = &ctl;
	doctor_gain(&d, sas);
	json_decref(sas);
	unlink(path);
	for (size_t i = ARRAY_SIZE(dirs); i-- > 0;) {
		snprintf(path, sizeof(path), "%s/%s", root, dirs[i]);
		rmdir(path);
	}
	rmdir(root);
	return d.findings;
}

static void expect_findings(json_t *findings, const char *const *starts, size_t nr)
{
	EXPECT(json_array_size(findings) == nr, "%zu findings",
	       json_array_size(findings));
	for (size_t i = 0; i < nr && i < json_array_size(findings); i++) {
		const json_t *finding = json_array_get(findings, i);
		const char *said = text(finding, "finding");

		EXPECT(!strcmp(text(finding, "check"), "gain"), "%s",
		       text(finding, "check"));
		EXPECT(!strncmp(said, starts[i], strlen(starts[i])), "%s", said);
	}
	json_decref(findings);
}

/* Of proposals that SAs have, each once; with ESN they are kinds of the same packets */
static void test_gain(void)
{
	static const char *const starts[] = {
		"aes128-sha1 (2 SAs): in batches the daemon's lanes ",
		"aes256-sha512-esn (1 SA): in batches the daemon's lanes ",
	};

	expect_findings(findings_with(""), starts, ARRAY_SIZE(starts));
}

/* What the module has measured, where it has: of the longest packets, in each direction */
static void test_gain_known(void)
{
	static const char route[] =
		"# cpu algorithm op max_len way why inline_ns submit_ns complete_ns trial_in_ms\n"
		"0 authenc-hmac-sha1-cbc-aes encrypt 2048 inline calm 1500 0 0 0\n"
		"0 authencesn-hmac-sha512-cbc-aes encrypt 128 offload gains 700 100 100 0\n"
		"0 authencesn-hmac-sha512-cbc-aes decrypt 128 inline costly 300 200 200 0\n"
		"1 authencesn-hmac-sha512-cbc-aes encrypt 2048 offload gains 3000 250 150 0\n"
		"1 authenc-hmac-sha512-cbc-aes encrypt 4096 offload gains 9000 250 150 0\n";
	static const char *const starts[] = {
		"aes128-sha1 (2 SAs): in batches the daemon's lanes ",
		"aes256-sha512-esn (1 SA), encrypt: up to 2048 bytes cost a CPU 3000 ns by the kernel's driver, 7.5 times the 400 that",
		"aes256-sha512-esn (1 SA), decrypt: up to 128 bytes cost a CPU 300 ns by the kernel's driver, 0.8 times the 400 that",
	};

	expect_findings(findings_with(route), starts, ARRAY_SIZE(starts));
}

int main(void)
{
	static const struct ktap_case cases[] = {
		{ "what is expected is what libcrypto says", test_vectors },
		{ "the lanes do what is expected", test_check },
		{ "what is not expected is noticed", test_wrong },
		{ "measuring leaves everything in order", test_speed },
		{ "what the proposals of SAs gain, by the lanes", test_gain },
		{ "what they gain, by what the module has measured", test_gain_known },
		{ 0 },
	};

	return ktap_run(cases);
}
