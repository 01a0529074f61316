// SPDX-License-Identifier: GPL-2.0-only
/*
 * Operators know algorithms by the proposals that they write.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>

#include "channel/alg.h"
#include "ctl/proposal.h"
#include "lib/array.h"

/**
 * struct word - a part of an algorithm's name, and of a proposal's
 * @part: the one
 * @called: the other; a %u is the bits of the key
 */
struct word {
	const char *part;
	const char *called;
};

static const struct word ciphers[] = {
	{ "cbc(aes))", "aes%u" },
	{ "rfc3686(ctr(aes)))", "aes%uctr" },
	{ "ecb(cipher_null))", "null" },
};

const char *aead_name(char name[AEAD_NAME], const char *algorithm, bool esn)
{
	static const char authenc[] = "authenc";
	const size_t n = sizeof(authenc) - 1;
	bool is_authenc = !strncmp(algorithm, authenc, n);

	if (esn && is_authenc)
		snprintf(name, AEAD_NAME, "authencesn%s", algorithm + n);
	else
		snprintf(name, AEAD_NAME, "%s", algorithm);
	return name;
}

static const char *cipher_in(const char *algorithm)
{
	for (size_t i = 0; i < ARRAY_SIZE(ciphers); i++)
		if (strstr(algorithm, ciphers[i].part))
			return ciphers[i].called;
	return NULL;
}

/* What its HMAC is made of, "" if it has none, NULL if it is none of ours */
static const char *hash_in(const char *algorithm)
{
	char part[32];

	for (unsigned int i = 0; i < WAVECRYPT_ALGS; i++) {
		snprintf(part, sizeof(part), "(hmac(%s),", algs[i].hash ?: "");
		if (strstr(algorithm, part))
			return algs[i].hash;
	}
	return strstr(algorithm, "(digest_null,") ? "" : NULL;
}

/* A number of bits, or the same again, where there is a %u for it */
static void put_cipher(char *name, size_t size, const char *called,
		       unsigned int bits)
{
	const char *at = strstr(called, "%u");

	if (at)
		snprintf(name, size, "%.*s%u%s", (int)(at - called), called,
			 bits, at + 2);
	else
		snprintf(name, size, "%s", called);
}

static void put_pair(char *name, size_t size, const char *algorithm,
		     unsigned int key_bits, unsigned int icv_bits)
{
	const char *cipher = cipher_in(algorithm);
	const char *hash = hash_in(algorithm);
	char encryption[32];

	if (!cipher || !hash)
		return;
	put_cipher(encryption, sizeof(encryption), cipher, key_bits);
	/* What Linux had before RFC 4868's length */
	snprintf(name, size, "%s%s%s%s", encryption, hash[0] ? "-" : "", hash,
		 icv_bits == 96 && !strcmp(hash, "sha256") ? "_96" : "");
}

void proposal_name(char *name, size_t size, const char *algorithm,
		   unsigned int key_bits, unsigned int icv_bits, bool esn)
{
	size_t used;

	name[0] = '\0';
	if (!strncmp(algorithm, "authenc", 7))
		put_pair(name, size, algorithm, key_bits, icv_bits);
	else if (!strcmp(algorithm, "rfc4106(gcm(aes))"))
		snprintf(name, size, "aes%ugcm%u", key_bits,
			 icv_bits ? icv_bits / 8 : 16);
	else if (!strcmp(algorithm, "rfc7539esp(chacha20,poly1305)"))
		snprintf(name, size, "chacha20poly1305");
	used = strlen(name);
	if (used && esn)
		snprintf(name + used, size - used, "-esn");
}
