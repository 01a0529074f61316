// SPDX-License-Identifier: GPL-2.0-only
/*
 * The packets that wavecryptctl compares the module's with: what it makes is what
 * the reference makes, and what is not as it should be is not opened.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <string.h>

#include "ctl/esp.h"
#include "ktap.h"
#include "reference.h"

#define PAYLOAD	300
#define PROTOCOL	17

/* Numbers that are about to leave 32 bits */
#define SEQ	0x2fffffffeull

static const uint8_t iv_lens[] = {
	[CIPHER_NONE] = 0, [CIPHER_CBC] = 16, [CIPHER_CTR] = 8,
	[CIPHER_GCM] = 8, [CIPHER_CHACHA20] = 8,
};

static struct esp_sa sa_make(unsigned int kind, bool esn)
{
	struct esp_sa sa = {
		.alg = alg_of_kind(kind),
		.key_len = alg_key_len_of_kind(kind),
		.esn = esn,
		.spi = 0xc0ffee,
		.seq = SEQ,
	};

	random_bytes(sa.key, sizeof(sa.key));
	random_bytes(sa.hmac, sizeof(sa.hmac));
	return sa;
}

/* Every algorithm and key size, with and without ESN where there is something to
 * authenticate
 */
static void for_all(void (*test)(unsigned int kind, bool esn))
{
	for (unsigned int kind = 0; kind < ALG_KINDS; kind++) {
		if (!alg_kind_exists(kind))
			continue;
		test(kind, false);
		if (esp_icv_len(alg_of_kind(kind)))
			test(kind, true);
	}
}

/* Opened by the reference: its payload, and its ICV */
static void compare_one(unsigned int kind, bool esn)
{
	struct esp_sa sa = sa_make(kind, esn);
	uint8_t payload[PAYLOAD], packet[PAYLOAD + ESP_MORE], iv[16] = { 0 };
	uint8_t body[PAYLOAD + 2 * ESP_MORE], aad[32];
	unsigned int salt = esp_salt_len(sa.alg), icv = esp_icv_len(sa.alg);
	unsigned int head = 8 + iv_lens[algs[sa.alg].cipher], aad_len = head;
	size_t len, size;
	struct sa keys = {
		.alg = sa.alg,
		.aes_len = sa.key_len,
		.auth_len = algs[sa.alg].icv_len,
		.esn = esn,
	};

	memcpy(keys.aes, sa.key, sa.key_len);
	memcpy(keys.auth, sa.hmac, sizeof(sa.hmac));
	random_bytes(payload, sizeof(payload));
	size = esp_seal(&sa, packet, payload, sizeof(payload), PROTOCOL);
	len = size - head - icv;
	if (!EXPECT(size, "nothing") ||
	    !EXPECT(len >= PAYLOAD + 2 && len < PAYLOAD + 2 + 16, "%zu", len))
		return;
	memcpy(iv, sa.key + sa.key_len, salt);
	memcpy(iv + salt, packet + 8, head - 8);
	iv[15] |= salt ? 1 : 0;
	keys.seq_hi = htonl(sa.seq >> 32);
	memcpy(aad, packet, head);
	if (algs[sa.alg].auth == AUTH_GHASH || algs[sa.alg].auth == AUTH_POLY1305) {
		aad_len = 8;
		if (esn) {
			memcpy(aad + 4, &keys.seq_hi, 4);
			memcpy(aad + 8, packet + 4, 4);
			aad_len = 12;
		}
	}
	memcpy(body, packet + head, len);
	reference(&keys, WAVECRYPT_OP_DECRYPT, iv, body, len, aad, aad_len);
	EXPECT(!memcmp(body, payload, PAYLOAD), "%s: payload", algs[sa.alg].label);
	EXPECT(body[len - 1] == PROTOCOL, "%u", body[len - 1]);
	EXPECT(!memcmp(body + len, packet + head + len, icv), "%s%s: ICV",
	       algs[sa.alg].label, esn ? ", ESN" : "");
}

static void test_reference(void)
{
	for_all(compare_one);
}

/* Of every length, over the end of 32 bits */
static void open_one(unsigned int kind, bool esn)
{
	struct esp_sa here = sa_make(kind, esn), there = here;
	uint8_t payload[PAYLOAD], packet[PAYLOAD + ESP_MORE];
	const uint8_t *opened;
	size_t len, size;

	random_bytes(payload, sizeof(payload));
	for (size_t i = 1; i < 40; i++) {
		size = esp_seal(&here, packet, payload, i, PROTOCOL);
		opened = esp_open(&there, packet, size, &len, PROTOCOL);
		EXPECT(opened && len == i && !memcmp(opened, payload, i),
		       "%s: %zu", algs[here.alg].label, i);
	}
}

static void test_open(void)
{
	for_all(open_one);
}

/* A wrong key on one side, another number, another protocol, a bit, a part */
static void refuse_one(unsigned int kind, bool esn)
{
	struct esp_sa here = sa_make(kind, esn), there;
	uint8_t payload[PAYLOAD], packet[PAYLOAD + ESP_MORE], copy[sizeof(packet)];
	size_t len, size;

	random_bytes(payload, sizeof(payload));
	there = here;
	size = esp_seal(&here, packet, payload, sizeof(payload), PROTOCOL);
	for (int i = 0; i < 6; i++) {
		struct esp_sa other = there;
		size_t part = size;

		/* There is no key, and nothing that is authenticated */
		if (!esp_icv_len(here.alg) && i < 4)
			continue;
		memcpy(copy, packet, size);
		switch (i) {
		case 0:
			other.key[0] ^= algs[here.alg].auth == AUTH_GHASH ||
					algs[here.alg].auth == AUTH_POLY1305;
			other.hmac[0] ^= 1;
			break;
		case 1:
			other.seq -= esn ? 1ull << 32 : 1;
			break;
		case 2:
			copy[8 + random_below(size - 8)] ^= 1;
			break;
		case 3:
			part = random_below(size);
			break;
		case 4:
			other.spi++;
			break;
		default:
			EXPECT(!esp_open(&other, copy, part, &len, PROTOCOL + 1),
			       "protocol");
			continue;
		}
		EXPECT(!esp_open(&other, copy, part, &len, PROTOCOL), "%s%s: %d",
		       algs[here.alg].label, esn ? ", ESN" : "", i);
	}
}

static void test_refuse(void)
{
	for_all(refuse_one);
}

int main(void)
{
	static const struct ktap_case cases[] = {
		{ "made as the reference makes them", test_reference },
		{ "opened", test_open },
		{ "not opened", test_refuse },
		{ 0 },
	};

	return ktap_run(cases);
}
