// SPDX-License-Identifier: GPL-2.0-only
/*
 * One end of each pair of SAs is the kernel's, and so the module's; the other is
 * OpenSSL's. What either encrypts the other has to decrypt, and in the order that it
 * was sent in; and what was changed on the way the kernel must not let through.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "channel/alg.h"
#include "ctl/ctl.h"
#include "ctl/esp.h"
#include "ctl/proposal.h"
#include "ctl/selftest.h"
#include "ctl/tunnel.h"
#include "lib/array.h"
#include "report/json.h"

/* Packets of each direction of a pair of SAs, unless told */
#define PACKETS	32

/* Packets under way at the same time */
#define BURST	16

/* A packet that is not there by then has been lost, */
#define PATIENCE_MS	5000

/* and then so have others, mostly. */
#define NO_PATIENCE_MS	50

/* Extended numbers begin so far before their low half is used up. */
#define BEFORE_HIGH	5

/**
 * struct pair - a pair of SAs
 * @out: the kernel encrypts
 * @in: the kernel decrypts
 * @packets: of both directions
 * @wrong: packets that were not as they should be
 * @missing: packets that did not come
 */
struct pair {
	struct esp_sa out;
	struct esp_sa in;
	unsigned int packets;
	unsigned int wrong;
	unsigned int missing;
};

/**
 * struct burst - datagrams under way
 * @nr: how many
 * @len: of each
 * @data: what is in each
 */
struct burst {
	unsigned int nr;
	size_t len[BURST];
	uint8_t data[BURST][TUNNEL_PAYLOAD];
};

/**
 * struct offer - a pair of SAs that the module would serve, with the usual ICV
 * @alg: their algorithm
 * @key_len: length of its key
 * @esn: with extended sequence numbers
 * @name: what the kernel calls that
 * @proposal: and swanctl.conf
 */
struct offer {
	unsigned int alg;
	unsigned int key_len;
	bool esn;
	char name[AEAD_NAME];
	char proposal[64];
};

/**
 * struct run - a self-test
 * @ctl: what is asked for
 * @known: which of its arguments are offers of the module's
 * @tunnel: its end
 * @packets: how many each way
 * @pairs: how many pairs of SAs so far
 * @results: what came of each
 * @aeads: the kernel's
 * @lost: packets were
 */
struct run {
	const struct ctl *ctl;
	bool known[CTL_ARGS];
	struct tunnel *tunnel;
	unsigned int packets;
	unsigned int pairs;
	json_t *results;
	json_t *aeads;
	bool lost;
};

static bool random_fill(void *to, size_t size)
{
	return getrandom(to, size, 0) == (ssize_t)size;
}

/* Of any length, from 1 on */
static bool burst_fill(struct burst *b, unsigned int nr)
{
	uint16_t len[BURST];

	b->nr = nr;
	if (!random_fill(len, sizeof(len)) ||
	    !random_fill(b->data, nr * sizeof(*b->data)))
		return false;
	for (unsigned int i = 0; i < nr; i++)
		b->len[i] = 1 + len[i] % TUNNEL_PAYLOAD;
	return true;
}

static bool is_nth(const struct burst *b, unsigned int n, const uint8_t *data,
		   int len)
{
	return len == (int)b->len[n] && !memcmp(b->data[n], data, len);
}

static int patience(const struct run *r)
{
	return r->lost ? NO_PATIENCE_MS : PATIENCE_MS;
}

static void missed(struct run *r, struct pair *p, unsigned int nr)
{
	p->missing += nr;
	r->lost = true;
}

static void encrypt(struct run *r, struct pair *p, const struct burst *b)
{
	uint8_t data[TUNNEL_PAYLOAD];

	for (unsigned int i = 0; i < b->nr; i++)
		tunnel_send(r->tunnel, b->data[i], b->len[i]);
	for (unsigned int i = 0; i < b->nr; i++) {
		int len = tunnel_sent(r->tunnel, &p->out, data, patience(r));

		if (len == -1)
			return missed(r, p, b->nr - i);
		if (!is_nth(b, i, data, len))
			p->wrong++;
	}
}

/* Between any two good packets is one that was changed; without an ICV nobody
 * would notice.
 */
static void decrypt(struct run *r, struct pair *p, const struct burst *b)
{
	uint8_t data[TUNNEL_PAYLOAD];

	for (unsigned int i = 0; i < b->nr; i++) {
		if (i && esp_icv_len(p->in.alg))
			tunnel_give(r->tunnel, &p->in, b->data[i], b->len[i],
				    true);
		tunnel_give(r->tunnel, &p->in, b->data[i], b->len[i], false);
	}
	for (unsigned int i = 0; i < b->nr; i++) {
		int len = tunnel_received(r->tunnel, data, patience(r));

		if (len < 0)
			return missed(r, p, b->nr - i);
		if (!is_nth(b, i, data, len))
			p->wrong++;
	}
}

/* Until something is wrong: what comes after it says no more. */
static bool carry(struct run *r, struct pair *p)
{
	unsigned int left = r->packets;
	struct burst b;

	while (left && !p->wrong && !p->missing) {
		if (!burst_fill(&b, left < BURST ? left : BURST))
			return false;
		encrypt(r, p, &b);
		decrypt(r, p, &b);
		p->packets += 2 * b.nr;
		left -= b.nr;
	}
	return true;
}

static bool offered(const json_t *aeads, const char *name)
{
	const json_t *aead;
	size_t i;

	json_array_foreach(aeads, i, aead)
		if (!strcmp(text(aead, "name"), name) &&
		    !strcmp(text(aead, "module"), "wavecrypt"))
			return true;
	return false;
}

static bool pair_make(struct pair *p, const struct offer *o)
{
	struct esp_sa sa = {
		.alg = o->alg,
		.key_len = o->key_len,
		.esn = o->esn,
		.seq = o->esn ? (3ull << 32) - BEFORE_HIGH : 0,
	};

	*p = (struct pair) { .out = sa, .in = sa };
	if (!random_fill(p->out.key, sizeof(sa.key)) ||
	    !random_fill(p->out.hmac, sizeof(sa.hmac)) ||
	    !random_fill(p->in.key, sizeof(sa.key)) ||
	    !random_fill(p->in.hmac, sizeof(sa.hmac)) ||
	    !random_fill(&p->out.spi, sizeof(sa.spi)) ||
	    !random_fill(&p->in.spi, sizeof(sa.spi)))
		return false;
	/* The first 256 are reserved; and they are two. */
	p->out.spi |= 0x80000001;
	p->in.spi = (p->in.spi | 0x80000000) & ~1u;
	return true;
}

/* What one of its SAs' transforms has done, of the module's, is added up. */
static unsigned int add_counters(json_t *result, const json_t *rows,
				 const struct esp_sa *sa)
{
	static const char *const ways[] = { "inline", "offloaded", "redone" };
	unsigned int found = 0;
	char spi[16], name[32];
	const json_t *row;
	size_t i;

	snprintf(spi, sizeof(spi), "0x%08x", sa->spi);
	json_array_foreach(rows, i, row) {
		if (strcmp(text(row, "spi"), spi))
			continue;
		found++;
		for (size_t k = 0; k < ARRAY_SIZE(ways); k++) {
			json_int_t n = number(result, ways[k]);

			snprintf(name, sizeof(name), "encrypt_%s", ways[k]);
			n += number(row, name);
			snprintf(name, sizeof(name), "decrypt_%s", ways[k]);
			n += number(row, name);
			json_object_set_new(result, ways[k], json_integer(n));
		}
	}
	return found;
}

static void take_result(struct run *r, const struct pair *p,
			const struct offer *o)
{
	json_t *rows = transforms(r->ctl), *result;
	bool served;

	result = json_pack("{s:s, s:s, s:I, s:I, s:I}", "proposal", o->proposal,
			   "algorithm", o->name,
			   "packets", (json_int_t)p->packets,
			   "wrong", (json_int_t)p->wrong,
			   "missing", (json_int_t)p->missing);
	served = add_counters(result, rows, &p->out) == 1;
	served = add_counters(result, rows, &p->in) == 1 && served;
	json_decref(rows);
	json_object_set_new(result, "served", json_boolean(served));
	json_object_set_new(result, "good",
			    json_boolean(served && !p->wrong && !p->missing));
	json_array_append_new(r->results, result);
}

static bool offer_make(const struct run *r, unsigned int kind, bool esn,
		       struct offer *o)
{
	o->alg = alg_of_kind(kind);
	o->key_len = alg_key_len_of_kind(kind);
	o->esn = esn;
	if (esn && !esp_icv_len(o->alg))
		return false;
	if (!offered(r->aeads, aead_name(o->name, algs[o->alg].name, esn)))
		return false;
	proposal_name(o->proposal, sizeof(o->proposal), algs[o->alg].name,
		      8 * o->key_len, 8 * esp_icv_len(o->alg), esn);
	return true;
}

/* Until one has something to say, which is returned */
static const char *each_offer(struct run *r,
			      const char *(*visit)(struct run *r,
						   const struct offer *o))
{
	const char *why = NULL;
	struct offer o;

	for (unsigned int kind = 0; !why && kind < ALG_KINDS; kind++) {
		if (!alg_kind_exists(kind) ||
		    alg_op_of_kind(kind) != WAVECRYPT_OP_ENCRYPT)
			continue;
		for (unsigned int esn = 0; !why && esn < 2; esn++)
			if (offer_make(r, kind, esn, &o))
				why = visit(r, &o);
	}
	return why;
}

static bool names(const struct run *r, unsigned int arg, const struct offer *o)
{
	return !strcmp(r->ctl->args[arg], o->proposal);
}

static const char *note_known(struct run *r, const struct offer *o)
{
	for (unsigned int i = 0; i < r->ctl->nr_args; i++)
		r->known[i] |= names(r, i, o);
	return NULL;
}

/* Those that the command names and that are none of these */
static json_t *unknown(struct run *r)
{
	json_t *unknown = json_array();

	each_offer(r, note_known);
	for (unsigned int i = 0; i < r->ctl->nr_args; i++)
		if (!r->known[i])
			json_array_append_new(unknown, json_text(r->ctl->args[i]));
	return unknown;
}

/* All, or those that the command names */
static bool wanted(const struct run *r, const struct offer *o)
{
	for (unsigned int i = 0; i < r->ctl->nr_args; i++)
		if (names(r, i, o))
			return true;
	return !r->ctl->nr_args;
}

static const char *test_pair(struct run *r, const struct offer *o)
{
	const char *why;
	struct pair p;

	if (!wanted(r, o))
		return NULL;
	if (!pair_make(&p, o))
		return "no random numbers";
	why = tunnel_use(r->tunnel, &p.out, &p.in, ++r->pairs);
	if (!why && !carry(r, &p))
		why = "no random numbers";
	if (!why)
		take_result(r, &p, o);
	return why;
}

/* Return: why not, or NULL */
static const char *test_all(struct run *r)
{
	const char *why = NULL;

	r->tunnel = tunnel_open(&why);
	if (!r->tunnel)
		return why;
	why = each_offer(r, test_pair);
	tunnel_close(r->tunnel);
	if (!why && !r->pairs)
		why = "the kernel has no algorithm of the module's";
	return why;
}

static json_t *verdict(const json_t *results, const char *why)
{
	json_int_t packets = 0, offloaded = 0;
	size_t i, bad = 0, nr = json_array_size(results);
	const json_t *result;
	char summary[256];

	json_array_foreach(results, i, result) {
		bad += !json_is_true(json_object_get(result, "good"));
		packets += number(result, "packets");
		offloaded += number(result, "offloaded");
	}
	if (why)
		snprintf(summary, sizeof(summary), "Not tested: %s", why);
	else if (bad)
		snprintf(summary, sizeof(summary),
			 "Failed: %zu of %zu proposals do not work", bad, nr);
	else
		snprintf(summary, sizeof(summary),
			 "Passed: %lld packets of %zu proposal%s are what OpenSSL says; %lld were offloaded",
			 (long long)packets, nr, nr == 1 ? "" : "s",
			 (long long)offloaded);
	return json_pack("{s:b, s:s, s:O}", "passed", !why && !bad,
			 "summary", summary, "results", results);
}

json_t *selftest_collect(const struct ctl *c)
{
	struct run r = {
		.ctl = c,
		.packets = c->count ? c->count : PACKETS,
		.results = json_array(),
		.aeads = proc_crypto_aeads(c),
	};
	json_t *none = unknown(&r), *answer;
	const char *why;

	/* Whoever mistypes one of them must not take it for tested. */
	if (json_array_size(none))
		why = "no proposal of the module's with its usual ICV";
	else
		why = test_all(&r);
	answer = verdict(r.results, why);
	json_object_set_new(answer, "unknown", none);
	json_decref(r.results);
	json_decref(r.aeads);
	return answer;
}

static void print_result(const json_t *result)
{
	printf("%-28s %7lld %7lld %9lld %6lld ", text(result, "proposal"),
	       (long long)number(result, "packets"),
	       (long long)number(result, "inline"),
	       (long long)number(result, "offloaded"),
	       (long long)number(result, "redone"));
	if (number(result, "wrong"))
		printf(" %lld wrong", (long long)number(result, "wrong"));
	if (number(result, "missing"))
		printf(" %lld missing", (long long)number(result, "missing"));
	if (!json_is_true(json_object_get(result, "served")))
		printf(" not by wavecrypt");
	printf("%s\n", json_is_true(json_object_get(result, "good")) ? " good" :
								      "");
}

void selftest_print(const json_t *answer)
{
	const json_t *results = json_object_get(answer, "results"), *result;
	const json_t *name;
	size_t i;

	printf("%s", text(answer, "summary"));
	json_array_foreach(json_object_get(answer, "unknown"), i, name)
		printf("%s %s", i ? "," : ":", json_string_value(name));
	printf(".\n");
	if (json_array_size(results))
		printf("\n%-28s %7s %7s %9s %6s\n", "", "packets", "inline",
		       "offloaded", "redone");
	json_array_foreach(results, i, result)
		print_result(result);
}
