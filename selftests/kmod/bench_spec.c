// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: reading what to measure
 *
 * A specification is a line of words NAME=VALUE.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/kernel.h>
#include <linux/string.h>

#include "bench.h"

/* echainiv has the first block of the text be the IV. seqiv has the AAD's end be it. */
#define CBC(label, hash, esn, key, bits)				\
	{								\
		.name = "cbc-" label,					\
		.cra_name = hash ",cbc(aes))",				\
		.enc_aad = 8 + (esn), .dec_aad = 24 + (esn),		\
		.seq_hi = (esn),					\
		.iv_block = 16, .ivsize = 16, .icv = (bits) / 8,	\
		.align = 16, .auth_key = (key),				\
	}
#define CTR(label, hash, esn, key, bits)				\
	{								\
		.name = "ctr-" label,					\
		.cra_name = hash ",rfc3686(ctr(aes)))",			\
		.enc_aad = 16 + (esn), .dec_aad = 16 + (esn),		\
		.seq_hi = (esn),					\
		.ivsize = 8, .icv = (bits) / 8, .align = 4,		\
		.auth_key = (key), .salt = 4,				\
	}
#define PLAIN(label, hash, esn, key, bits)				\
	{								\
		.name = "null-" label,					\
		.cra_name = hash ",ecb(cipher_null))",			\
		.enc_aad = 8 + (esn), .dec_aad = 8 + (esn),		\
		.seq_hi = (esn),					\
		.icv = (bits) / 8, .align = 4, .auth_key = (key),	\
		.no_cipher = true,					\
	}
#define GCM(label, esn)							\
	{								\
		.name = label, .cra_name = "rfc4106(gcm(aes))",		\
		.enc_aad = 16 + (esn), .dec_aad = 16 + (esn),		\
		.seq_hi = (esn), .ivsize = 8,				\
		.icv = 16, .align = 4, .salt = 4,			\
	}
#define CHACHA20_POLY1305(label, esn)					\
	{								\
		.name = label,						\
		.cra_name = "rfc7539esp(chacha20,poly1305)",		\
		.enc_aad = 16 + (esn), .dec_aad = 16 + (esn),		\
		.seq_hi = (esn), .ivsize = 8,				\
		.icv = 16, .align = 4, .salt = 4, .long_key = 32,	\
	}
#define HMAC(cipher, hash, key, bits)					\
	cipher(hash, "authenc(hmac(" hash ")", 0, key, bits),		\
	cipher(hash "-esn", "authencesn(hmac(" hash ")", 4, key, bits)
#define HMACS(cipher)							\
	HMAC(cipher, "sha1", 20, 96), HMAC(cipher, "sha256", 32, 128),	\
	HMAC(cipher, "sha384", 48, 192), HMAC(cipher, "sha512", 64, 256)

static const struct bench_shape shapes[] = {
	HMACS(CBC),
	HMACS(CTR),
	HMACS(PLAIN),
	GCM("gcm", 0),
	GCM("gcm-esn", 4),
	CHACHA20_POLY1305("chacha20-poly1305", 0),
	CHACHA20_POLY1305("chacha20-poly1305-esn", 4),
	/* digest_null takes any key, and has no ICV */
	{
		.name = "cbc", .cra_name = "authenc(digest_null,cbc(aes))",
		.enc_aad = 8, .dec_aad = 24, .iv_block = 16, .ivsize = 16,
		.align = 16, .auth_key = 1,
	},
};

static int parse_shape(struct bench_spec *spec, const char *value)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(shapes); i++) {
		if (!strcmp(value, shapes[i].name)) {
			spec->shape = &shapes[i];
			return 0;
		}
	}
	return -EINVAL;
}

static int parse_op(struct bench_spec *spec, const char *value)
{
	spec->decrypt = !strcmp(value, "decrypt");
	return spec->decrypt || !strcmp(value, "encrypt") ? 0 : -EINVAL;
}

static int parse_what(struct bench_spec *spec, const char *value)
{
	static const char * const whats[] = { "aead", "stall", "gateway", "host" };
	int what = match_string(whats, ARRAY_SIZE(whats), value);

	if (what < 0)
		return what;
	spec->what = what;
	return 0;
}

static int parse_number(struct bench_spec *spec, const char *name, const char *value)
{
	const struct {
		const char *name;
		unsigned int *number;
		unsigned int min, max;
	} numbers[] = {
		{ "len", &spec->len, 0, BENCH_MAX_LEN },
		{ "other_len", &spec->other_len, 0, BENCH_MAX_LEN },
		{ "key", &spec->key_len, 16, 32 },
		{ "depth", &spec->depth, 1, BENCH_MAX_DEPTH },
		{ "burst", &spec->burst, 1, BENCH_MAX_DEPTH },
		{ "tfms", &spec->tfms, 1, BENCH_MAX_TFMS },
		{ "cpus", &spec->cpus, 0, BENCH_MAX_CPUS },
		{ "base_cpus", &spec->base_cpus, 0, BENCH_MAX_CPUS },
		{ "first", &spec->first, 0, BENCH_MAX_CPUS },
		{ "share", &spec->share, 0, 1 },
		{ "backlog", &spec->backlog, 0, 1 },
		{ "samples", &spec->samples, 1, 1000 },
		{ "settle_us", &spec->settle_us, 0, 10000000 },
		{ "warm_us", &spec->warm_us, 0, 10000000 },
		{ "slice_us", &spec->slice_us, 1, 1000000000 },
		{ "interval_ns", &spec->interval_ns, 0, 1000000000 },
		{ "gap_us", &spec->gap_us, 1, 1000000000 },
	};
	int i, err;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		if (strcmp(name, numbers[i].name))
			continue;
		err = kstrtouint(value, 0, numbers[i].number);
		if (err)
			return err;
		if (*numbers[i].number < numbers[i].min ||
		    *numbers[i].number > numbers[i].max)
			return -ERANGE;
		return 0;
	}
	return -EINVAL;
}

/**
 * bench_spec_parse - read a specification
 * @spec: where to put it; what @text does not say has its default
 * @text: what was asked for. It is taken apart, and @spec points into it.
 *
 * Return: 0, or -EINVAL or -ERANGE and a message in the kernel's log.
 */
int bench_spec_parse(struct bench_spec *spec, char *text)
{
	char *word, *value;
	int err;

	*spec = (struct bench_spec) {
		.shape = &shapes[0],
		.len = 1408,
		.key_len = 16,
		.depth = 1,
		.burst = BENCH_NAPI_BUDGET,
		.tfms = 1,
		.samples = 5,
		.warm_us = 1000,
		.slice_us = 4000,
		.gap_us = 1000000000,
	};

	text = strim(text);
	while ((word = strsep(&text, " "))) {
		value = strchr(word, '=');
		if (!value) {
			pr_err("'%s' is not NAME=VALUE\n", word);
			return -EINVAL;
		}
		*value++ = '\0';
		if (!strcmp(word, "base"))
			spec->driver[0] = value, err = 0;
		else if (!strcmp(word, "test"))
			spec->driver[1] = value, err = 0;
		else if (!strcmp(word, "what"))
			err = parse_what(spec, value);
		else if (!strcmp(word, "alg"))
			err = parse_shape(spec, value);
		else if (!strcmp(word, "op"))
			err = parse_op(spec, value);
		else
			err = parse_number(spec, word, value);
		if (err) {
			pr_err("%s=%s cannot be\n", word, value);
			return err;
		}
	}

	/* with no names, what anybody who asks for the algorithm is given */
	if (!spec->driver[0])
		spec->driver[0] = spec->shape->cra_name;
	if (!spec->driver[1])
		spec->driver[1] = spec->driver[0];
	return 0;
}
