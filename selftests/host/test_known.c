// SPDX-License-Identifier: GPL-2.0-only
/*
 * What RFCs say that comes out, through every width of the lanes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "backends/cpu/cpu.h"
#include "channel/alg.h"
#include "channel/loopback.h"
#include "ktap.h"

#define ROOM	512

/**
 * struct known - an example; all but the numbers in hexadecimal
 * @from: where it stands
 * @alg: &enum wavecrypt_alg
 * @key: the cipher's
 * @auth: HMAC's
 * @iv: CBC: the IV; CTR, ChaCha20-Poly1305: nonce, explicit IV, counter's start
 * @aad: what is authenticated before the payload
 * @plain: payload
 * @cipher: what becomes of it, or NULL: not said, or the same
 * @icv: as much of the ICV as is said, or NULL
 */
struct known {
	const char *from;
	uint8_t alg;
	const char *key;
	const char *auth;
	const char *iv;
	const char *aad;
	const char *plain;
	const char *cipher;
	const char *icv;
};

/* A part of a long number */
#define HEX(part)	part

#define JEFE	"4a656665"
/* "what do ya want for nothing?" */
#define NOTHING	"7768617420646f2079612077616e7420666f72206e6f7468696e673f"
#define B16	"0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"
#define HITHERE	"4869205468657265"
#define CHACHA_KEY							\
	"808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"

static const struct known known[] = {
	{ "RFC 3602, case 1", WAVECRYPT_ALG_CBC,
	  "06a9214036b8a15b512e03d534120006", "",
	  "3dafba429d9eb430b422da802c9fac41", "",
	  "53696e676c6520626c6f636b206d7367",
	  "e353779c1079aeb82708942dbe77181a", NULL },
	{ "RFC 3602, case 2", WAVECRYPT_ALG_CBC,
	  "c286696d887c9aa0611bbb3e2025a45a", "",
	  "562e17996d093d28ddb3ba695a2e6f58", "",
	  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
	  "d296cd94c2cccf8a3a863028b5e1dc0a7586602d253cfff91b8266bea6d61ab1",
	  NULL },
	{ "RFC 3686, vector 1", WAVECRYPT_ALG_CTR_SHA1,
	  "ae6852f8121067cc4bf7a5765577f39e", "",
	  "00000030000000000000000000000001", "",
	  "53696e676c6520626c6f636b206d7367",
	  "e4095d4fb7a7b3792d6175a3261311b8", NULL },
	{ "RFC 3686, vector 2", WAVECRYPT_ALG_CTR_SHA256,
	  "7e24067817fae0d743d6ce1f32539163", "",
	  "006cb6dbc0543b59da48d90b00000001", "",
	  "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
	  "5104a106168a72d9790d41ee8edad388eb2e1efc46da57c8fce630df9141be28",
	  NULL },
	{ "RFC 4231, case 2, SHA-256", WAVECRYPT_ALG_NULL_SHA256, "", JEFE, "",
	  "", NOTHING, NULL,
	  "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843" },
	{ "RFC 4231, case 2, SHA-384", WAVECRYPT_ALG_NULL_SHA384, "", JEFE, "",
	  "", NOTHING, NULL,
	  HEX("af45d2e376484031617f78d2b58a6b1b9c7ef464f5a01b47e42ec3736322445e")
	  HEX("8e2240ca5e69e2c78b3239ecfab21649") },
	{ "RFC 4231, case 2, SHA-512", WAVECRYPT_ALG_NULL_SHA512, "", JEFE, "",
	  "", NOTHING, NULL,
	  HEX("164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554")
	  HEX("9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737") },
	{ "RFC 4868, AUTH256-1", WAVECRYPT_ALG_NULL_SHA256, "", B16 B16, "", "",
	  HITHERE, NULL, "198a607eb44bfbc69903a0f1cf2bbdc5" },
	{ "RFC 4868, AUTH384-1", WAVECRYPT_ALG_NULL_SHA384, "", B16 B16 B16, "",
	  "", HITHERE, NULL, "b6a8d5636f5c6a7224f9977dcf7ee6c7fb6d0c48cbdee973" },
	{ "RFC 4868, AUTH512-1", WAVECRYPT_ALG_NULL_SHA512, "", B16 B16 B16 B16,
	  "", "", HITHERE, NULL,
	  "637edc6e01dce7e6742a99451aae82df23da3e92439e590e43e761b33e910fb8" },
	{ "RFC 8439, 2.8.2", WAVECRYPT_ALG_CHACHA20_POLY1305, CHACHA_KEY, "",
	  "07000000404142434445464700000000", "50515253c0c1c2c3c4c5c6c7",
	  HEX("4c616469657320616e642047656e746c656d656e206f662074686520636c6173")
	  HEX("73206f66202739393a204966204920636f756c64206f6666657220796f75206f")
	  HEX("6e6c79206f6e652074697020666f7220746865206675747572652c2073756e73")
	  HEX("637265656e20776f756c642062652069742e"),
	  HEX("d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6")
	  HEX("3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36")
	  HEX("92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc")
	  HEX("3ff4def08e4b7a9de576d26586cec64b6116"),
	  "1ae10b594f09e26a7e902ecbd0600691" },
	{ "RFC 7634, appendix A", WAVECRYPT_ALG_CHACHA20_POLY1305, CHACHA_KEY, "",
	  "a0a1a2a3101112131415161700000000", "0102030400000005",
	  HEX("45000054a6f200004001e778c6336405c000020508005b7a3a080000553bec10")
	  HEX("0007362708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20212223")
	  HEX("2425262728292a2b2c2d2e2f303132333435363701020204"),
	  HEX("24039428b97f417e3c13753a4f05087b67c352e6a7fab1b982d466ef407ae5c6")
	  HEX("14ee8099d52844eb61aa95dfab4c02f72aa71e7c4c4f64c9befe2facc638e8f3")
	  HEX("cbec163fac469b502773f6fb94e664da9165b82829f641e0"),
	  "76aaa8266b7fb0f7b11b369907e1ad43" },
};

static uint8_t nibble(char digit)
{
	return digit <= '9' ? digit - '0' : digit - 'a' + 10;
}

static size_t bytes(uint8_t *to, const char *hex)
{
	size_t n = strlen(hex) / 2;

	for (size_t i = 0; i < n; i++)
		to[i] = nibble(hex[2 * i]) << 4 | nibble(hex[2 * i + 1]);
	return n;
}

/**
 * struct example - one, as lanes want it
 */
struct example {
	struct wavecrypt_key key __attribute__((aligned(WAVECRYPT_LINE)));
	struct wavecrypt_desc desc;
	uint8_t slot[WAVECRYPT_HEADROOM + ROOM];
	struct packet packet;
};

static void prepare(struct example *e, const struct known *k, uint8_t op)
{
	uint8_t raw[ALG_KEY_MAX], auth[128];
	size_t key_len = bytes(raw, k->key);
	const char *text = k->plain;

	memset(e, 0, sizeof(*e));
	EXPECT(loopback_key_set(&e->key, 1, k->alg, raw, key_len, auth,
				bytes(auth, k->auth)), "%s: key", k->from);
	if (op == WAVECRYPT_OP_DECRYPT && k->cipher)
		text = k->cipher;
	bytes(e->desc.iv, k->iv);
	e->packet.data = e->slot + WAVECRYPT_HEADROOM;
	e->packet.len = bytes(e->packet.data, text);
	e->packet.aad_len = strlen(k->aad) / 2;
	bytes(e->packet.data - e->packet.aad_len, k->aad);
	e->packet.auth_len = algs[k->alg].auth == AUTH_NONE ? 0 :
			     e->packet.aad_len + e->packet.len;
	e->packet.key = &e->key;
	e->packet.key_gen = 1;
	e->packet.iv = e->desc.iv;
	e->packet.alg = k->alg;
	e->packet.op = op;
	e->packet.key_len = key_len;
}

static void check(const struct example *e, const struct known *k, uint8_t op)
{
	const char *text = op == WAVECRYPT_OP_ENCRYPT && k->cipher ?
			   k->cipher : k->plain;
	uint8_t want[ROOM];
	size_t len = bytes(want, text);

	EXPECT(e->packet.status == WAVECRYPT_STATUS_OK, "%s", k->from);
	EXPECT(!memcmp(e->packet.data, want, len), "%s: %scrypted", k->from,
	       op ? "de" : "en");
	if (!k->icv)
		return;
	EXPECT(!memcmp(e->packet.data + len, want, bytes(want, k->icv)),
	       "%s: ICV", k->from);
}

/* As many of the same as @nr, one key each */
static void run(struct cpu_work *work, enum cpu_width width,
		const struct known *k, uint8_t op, uint32_t nr)
{
	static struct example e[CPU_LANES];
	struct packet *packets[CPU_LANES] = { 0 };

	for (uint32_t i = 0; i < nr; i++) {
		prepare(&e[i], k, op);
		packets[i] = &e[i].packet;
	}
	cpu_run(work, width, packets, nr);
	for (uint32_t i = 0; i < nr; i++)
		check(&e[i], k, op);
}

static void by_width(enum cpu_width width)
{
	static struct IMB_JOB jobs[CPU_LANES];
	struct cpu_work work = { .jobs = jobs };

	work.mgr[width] = cpu_manager(&imb_linked, width);
	if (!work.mgr[width])
		return;
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		for (uint8_t op = 0; op < WAVECRYPT_OPS; op++) {
			run(&work, width, &known[i], op, 1);
			run(&work, width, &known[i], op, CPU_LANES);
		}
	free_mb_mgr(work.mgr[width]);
}

static void by_sse(void)
{
	by_width(CPU_SSE);
}

static void by_avx2(void)
{
	by_width(CPU_AVX2);
}

static void by_avx512(void)
{
	by_width(CPU_AVX512);
}

static const struct ktap_case cases[] = {
	{ "RFCs 3602, 3686, 4231, 4868, 7634, 8439: sse", by_sse },
	{ "the same: avx2, if there is", by_avx2 },
	{ "the same: avx512, if there is", by_avx512 },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
