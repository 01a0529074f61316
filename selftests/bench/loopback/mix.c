// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "channel/alg.h"
#include "lib/array.h"
#include "mix.h"

/* The names that make a mix by themselves. */
#define MIX_SIX \
	"cbc-sha1-128-encrypt,cbc-sha1-256-encrypt,cbc-sha1-128-decrypt," \
	"gcm-128-encrypt,gcm-256-encrypt,gcm-128-decrypt"
#define MIX_ALL \
	"cbc-sha1-128-encrypt,cbc-sha1-192-encrypt,cbc-sha1-256-encrypt," \
	"cbc-sha1-128-decrypt,cbc-sha1-192-decrypt,cbc-sha1-256-decrypt," \
	"gcm-128-encrypt,gcm-192-encrypt,gcm-256-encrypt," \
	"gcm-128-decrypt,gcm-192-decrypt,gcm-256-decrypt"

/* What ESP puts behind an IP packet before it pads: pad length, next header. */
#define ESP_TRAILER	2

/* Of an IMIX: how long an IP packet is, and how many of twelve are. */
static const struct {
	uint32_t len;
	uint32_t share;
} imix[] = { { 40, 7 }, { 576, 4 }, { 1500, 1 } };

static const char *const op_names[WAVECRYPT_OPS] = {
	[WAVECRYPT_OP_ENCRYPT] = "encrypt",
	[WAVECRYPT_OP_DECRYPT] = "decrypt",
};

/* Take @word off the front of *@text, if it is there and ends there. */
static bool take_word(const char **text, const char *word)
{
	size_t n = strlen(word);

	if (strncmp(*text, word, n) || !strchr("-:", (*text)[n]))
		return false;
	*text += n;
	if (**text == '-')
		*text += 1;
	return true;
}

static const char *part_parse(struct mix_part *part, const char *text)
{
	char *end;

	part->alg = WAVECRYPT_ALG_NONE;
	part->op = WAVECRYPT_OP_ENCRYPT;
	part->weight = 1;
	for (int i = 0; i < WAVECRYPT_ALGS; i++)
		if (algs[i].label && take_word(&text, algs[i].label)) {
			part->alg = i;
			break;
		}
	if (part->alg == WAVECRYPT_ALG_NONE)
		return "no such algorithm (cbc-sha1, gcm, cbc-sha256, ctr-sha1, null-sha1 ...)";
	/* The shortest that there is, where none is named */
	part->key_len = __builtin_ctz(algs[part->alg].key_lens) * 8;
	for (unsigned int len = 0; len <= ALG_KEY_MAX; len += 8) {
		char bits[8];

		snprintf(bits, sizeof(bits), "%u", len * 8);
		if (alg_has_key_len(part->alg, len) && take_word(&text, bits))
			part->key_len = len;
	}
	if (take_word(&text, "decrypt"))
		part->op = WAVECRYPT_OP_DECRYPT;
	else
		take_word(&text, "encrypt");
	if (*text == ':') {
		part->weight = strtoul(text + 1, &end, 10);
		text = end;
	}
	if (*text || !part->weight || part->weight > 1000)
		return "not ALGORITHM[-KEYBITS][-DIRECTION][:WEIGHT]";
	return NULL;
}

const char *mix_parse(struct mix *mix, const char *text)
{
	char copy[1024], *at = copy, *word;
	const char *wrong;

	if (!strcmp(text, "six"))
		text = MIX_SIX;
	else if (!strcmp(text, "all"))
		text = MIX_ALL;
	if (strlen(text) >= sizeof(copy))
		return "too long";
	strcpy(copy, text);
	mix->nr = 0;
	mix->total = 0;
	while ((word = strsep(&at, ","))) {
		if (mix->nr == MIX_MAX)
			return "too many combinations";
		wrong = part_parse(&mix->part[mix->nr], word);
		if (wrong)
			return wrong;
		mix->total += mix->part[mix->nr++].weight;
	}
	return NULL;
}

void mix_part_name(const struct mix_part *part, char *out)
{
	snprintf(out, 32, "%s-%u-%s", algs[part->alg].label, part->key_len * 8,
		 op_names[part->op]);
}

const char *lengths_parse(struct lengths *l, const char *text)
{
	char *end;

	if (!strcmp(text, "imix")) {
		l->kind = LENGTHS_IMIX;
		return NULL;
	}
	if (!strncmp(text, "pcap:", 5)) {
		l->kind = LENGTHS_PCAP;
		return pcap_read(&l->pcap, text + 5);
	}
	l->kind = LENGTHS_RANDOM;
	l->low = strtoul(text, &end, 10);
	l->high = l->low;
	if (*end == '-')
		l->high = strtoul(end + 1, &end, 10);
	if (*end || !l->low || l->high < l->low || l->high > PACKET_LONGEST)
		return "not BYTES, BYTES-BYTES, imix or pcap:FILE";
	return NULL;
}

/* As ESP pads it: the trailer, and to a multiple of the block, at least 4. */
static uint32_t esp_len(uint32_t len, uint8_t alg)
{
	uint32_t to = algs[alg].block > 4 ? algs[alg].block : 4;

	return (len + ESP_TRAILER + to - 1) & -to;
}

uint32_t lengths_longest(const struct lengths *l)
{
	uint32_t longest = 0;

	switch (l->kind) {
	case LENGTHS_RANDOM:
		return (l->high + 15) & -16u;
	case LENGTHS_IMIX:
		for (size_t i = 0; i < ARRAY_SIZE(imix); i++)
			if (imix[i].len > longest)
				longest = imix[i].len;
		break;
	case LENGTHS_PCAP:
		for (uint32_t i = 0; i < l->pcap.nr; i++)
			if (l->pcap.frames[i].len > longest)
				longest = l->pcap.frames[i].len;
	}
	return esp_len(longest, WAVECRYPT_ALG_CBC_SHA1);
}

static uint32_t draw_imix(uint32_t random)
{
	uint32_t at = random % 12, i = 0;

	while (at >= imix[i].share)
		at -= imix[i++].share;
	return imix[i].len;
}

uint32_t lengths_draw(const struct lengths *l, uint8_t alg, uint32_t random,
		      const struct pcap_frame **frame)
{
	uint32_t block = algs[alg].block;

	*frame = NULL;
	switch (l->kind) {
	case LENGTHS_IMIX:
		return esp_len(draw_imix(random), alg);
	case LENGTHS_PCAP:
		*frame = &l->pcap.frames[random % l->pcap.nr];
		return esp_len((*frame)->len, alg);
	default:
		return (l->low + random % (l->high - l->low + 1) + block - 1) &
		       -block;
	}
}
