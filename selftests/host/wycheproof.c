// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/array.h"
#include "reference.h"
#include "vectors.h"
#include "wavecrypt.h"
#include "wycheproof.h"

/* Bytes of a nonce of RFC 8439 */
#define NONCE		12

static const struct {
	const char *file;
	unsigned int alg;
	/* that the module offloads: a longer one it leaves to the kernel */
	size_t key_max;
} sources[] = {
	{ "hmac_sha1_test.json", WAVECRYPT_ALG_NULL_SHA1, 64 },
	{ "hmac_sha256_test.json", WAVECRYPT_ALG_NULL_SHA256, 64 },
	{ "hmac_sha384_test.json", WAVECRYPT_ALG_NULL_SHA384, SA_AUTH_MAX },
	{ "hmac_sha512_test.json", WAVECRYPT_ALG_NULL_SHA512, SA_AUTH_MAX },
	{ "chacha20_poly1305_test.json", WAVECRYPT_ALG_CHACHA20_POLY1305, 32 },
};

/* What vectors point into */
static json_t *roots[ARRAY_SIZE(sources)];
static struct vector *all;
static unsigned int nr_all;

/* A string of hexadecimal numbers; "" where there is none */
static const char *hex(const json_t *test, const char *name)
{
	const char *text = json_string_value(json_object_get(test, name));

	return text ? text : "";
}

static size_t bytes(const json_t *test, const char *name)
{
	return strlen(hex(test, name)) / 2;
}

/* Without a payload the module does it itself. */
static bool fits(const json_t *test, unsigned int source)
{
	return bytes(test, "msg") &&
	       bytes(test, "key") <= sources[source].key_max &&
	       bytes(test, "aad") <= WAVECRYPT_HEADROOM &&
	       bytes(test, "msg") < VECTOR_ROOM &&
	       (sources[source].alg != WAVECRYPT_ALG_CHACHA20_POLY1305 ||
		bytes(test, "iv") == NONCE);
}

static bool add(const json_t *test, unsigned int source)
{
	struct vector *more = realloc(all, (nr_all + 1) * sizeof(*all));
	struct vector *v;
	char *name;

	if (!more)
		return false;
	all = more;
	v = &all[nr_all];
	if (asprintf(&name, "%s, %lld", sources[source].file,
		     json_integer_value(json_object_get(test, "tcId"))) < 0)
		return false;
	*v = (struct vector) {
		.name = name,
		.alg = sources[source].alg,
		.in = { hex(test, "msg") },
		.icv = { hex(test, "tag") },
		.forged = strcmp(hex(test, "result"), "valid"),
	};
	if (v->alg == WAVECRYPT_ALG_CHACHA20_POLY1305) {
		v->key[0] = hex(test, "key");
		v->iv[0] = hex(test, "iv");
		v->iv[1] = "00000000";
		v->aad[0] = hex(test, "aad");
		v->out[0] = hex(test, "ct");
	} else {
		v->auth[0] = hex(test, "key");
	}
	nr_all++;
	return true;
}

/* Of both kinds: a file that has become another is no test. */
static bool some_of_each(unsigned int first)
{
	unsigned int forged = 0;

	for (unsigned int i = first; i < nr_all; i++)
		forged += all[i].forged;
	return forged && forged < nr_all - first;
}

static bool read_file(const char *dir, unsigned int source)
{
	const unsigned int first = nr_all;
	size_t group_nr, test_nr;
	json_t *group, *test;
	char path[4096];

	snprintf(path, sizeof(path), "%s/%s", dir, sources[source].file);
	roots[source] = json_load_file(path, 0, NULL);
	json_array_foreach(json_object_get(roots[source], "testGroups"), group_nr, group)
		json_array_foreach(json_object_get(group, "tests"), test_nr, test)
			if (fits(test, source) && !add(test, source))
				return false;
	if (some_of_each(first))
		return true;
	printf("# %s: not what it was\n", path);
	return false;
}

const struct vector *wycheproof_read(const char *dir, unsigned int *nr)
{
	for (unsigned int i = 0; i < ARRAY_SIZE(sources); i++)
		if (!read_file(dir, i))
			return NULL;
	*nr = nr_all;
	printf("# %u vectors\n", nr_all);
	return all;
}
