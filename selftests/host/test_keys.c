// SPDX-License-Identifier: GPL-2.0-only
/*
 * Keys that go: whoever derived something from them is told which, and looks at
 * no others.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>

#include "backends/gpu/keys.h"
#include "backends/gpu/live_keys.h"
#include "channel/loopback.h"
#include "ktap.h"
#include "reference.h"

#define KEYS	100
#define MANY	10000u

static struct loopback *lb;
static struct live_keys live;
/* What the channel has, and what was derived from */
static uint32_t few_table[KEYS], few_derived[KEYS];
static uint32_t *table, *derived;
static uint32_t looked;

static bool gone(const void *keys, uint32_t index)
{
	(void)keys;
	looked++;
	return derived[index] && derived[index] != table[index];
}

static void begin(void)
{
	const struct loopback_config lc = {
		.queues = 1, .entries = 16, .keys = KEYS, .slot_size = 64,
	};

	table = few_table;
	derived = few_derived;
	lb = loopback_create(&lc);
	EXPECT(lb && live_keys_init(&live, loopback_channel(lb)), "no memory");
	for (uint32_t i = 0; i < KEYS; i++) {
		table[i] = i + 1;
		derived[i] = 0;
	}
	looked = 0;
}

static void end(void)
{
	struct channel *ch = loopback_channel(lb);

	live_keys_exit(&live);
	ch->ops->close(ch);
	loopback_free(lb);
}

static void derive(uint32_t index)
{
	if (!derived[index])
		live_keys_add(&live, index);
	derived[index] = table[index];
}

static void replace(uint32_t index)
{
	table[index] += KEYS;
	loopback_key_gone(lb, index);
}

/* Wipe what can be; @busy: one that is in use. */
static void expire(uint32_t busy)
{
	live_keys_look(&live, gone, NULL);
	for (uint32_t i = live.nr_stale; i--;) {
		uint32_t index = live.index[i];

		if (index == busy)
			continue;
		derived[index] = 0;
		live_keys_drop(&live, index);
	}
}

/* Nothing is kept that is gone, and nothing was lost. */
static void check(uint32_t busy)
{
	uint32_t nr = 0;

	for (uint32_t i = 0; i < KEYS; i++) {
		nr += !!derived[i];
		EXPECT(!derived[i] || derived[i] == table[i] || i == busy,
		       "key %u of %u is gone", i, derived[i]);
		EXPECT(!derived[i] || live.index[live.at[i]] == i,
		       "key %u is not where it should be", i);
	}
	EXPECT(live.nr == nr, "%u live, not %u", live.nr, nr);
}

static void one_of_many(void)
{
	begin();
	for (uint32_t i = 0; i < KEYS; i++)
		derive(i);
	replace(17);
	expire(KEYS);
	EXPECT(looked <= 2, "%u keys looked at for one", looked);
	EXPECT(!derived[17] && live.nr == KEYS - 1, "%u live", live.nr);
	check(KEYS);
	end();
}

static void overtaken(void)
{
	begin();
	for (uint32_t i = 0; i < KEYS; i += 2)
		derive(i);
	for (uint32_t i = 0; i < 4 * KEYS; i++)
		replace(i % 10);
	expire(KEYS);
	EXPECT(live.nr == KEYS / 2 - 5, "%u live", live.nr);
	check(KEYS);
	end();
}

static void in_use(void)
{
	begin();
	derive(3);
	derive(4);
	replace(3);
	replace(4);
	expire(3);
	EXPECT(derived[3] && !derived[4] && live.nr_stale == 1, "%u stale",
	       live.nr_stale);
	/* Its place has got the new key before it could be wiped. */
	derive(3);
	expire(KEYS);
	EXPECT(derived[3] == table[3] && !live.nr_stale, "a key that is there");
	check(KEYS);
	end();
}

/* Ten thousand come and go: who goes costs a look at it, and at none that stays. */
static void many_come_and_go(void)
{
	const struct loopback_config lc = {
		.queues = 1, .entries = 16, .keys = 2 * MANY, .slot_size = 64,
	};
	uint32_t wiped = 0;

	lb = loopback_create(&lc);
	table = calloc(2 * MANY, sizeof(*table));
	derived = calloc(2 * MANY, sizeof(*derived));
	if (!EXPECT(lb && table && derived &&
		    live_keys_init(&live, loopback_channel(lb)), "no memory"))
		return;
	looked = 0;
	/* As many stay all the time. */
	for (uint32_t i = 0; i < 2 * MANY; i++) {
		table[i] = i + 1;
		derive(i);
	}
	for (uint32_t i = 0; i < MANY; i++) {
		uint32_t index = 2 * i;

		table[index] = 0;
		loopback_key_gone(lb, index);
		/* Some at a time, as they are found between chunks */
		if (i % 7 == 0)
			expire(2 * MANY);
		wiped = i + 1;
	}
	expire(2 * MANY);
	EXPECT(live.nr == MANY, "%u of %u are left", live.nr, MANY);
	EXPECT(looked <= 2 * wiped, "%u keys looked at for %u", looked, wiped);
	for (uint32_t i = 0; i < 2 * MANY; i++)
		EXPECT(!derived[i] == !(i % 2), "key %u", i);
	free(table);
	free(derived);
	end();
}

static void random_traffic(void)
{
	begin();
	for (int round = 0; round < 20000; round++) {
		uint32_t busy = random_below(KEYS);

		for (uint32_t n = random_below(8); n; n--)
			derive(random_below(KEYS));
		for (uint32_t n = random_below(4); n; n--)
			replace(random_below(KEYS));
		expire(busy);
		check(busy);
	}
	end();
}

/* What the packet was checked against is what is taken, or nothing. */
static void changed_in_place(void)
{
	static struct wavecrypt_gpu_key host[KEYS];
	struct wavecrypt_key *key;
	struct gpu_keys k;

	begin();
	if (!EXPECT(gpu_keys_init(&k, loopback_channel(lb)), "no memory"))
		return;
	k.host = host;
	key = loopback_key(lb, 3);
	for (int change = 0; change < 3; change++) {
		struct packet p = {
			.alg = WAVECRYPT_ALG_CBC_SHA1, .key_len = 16,
			.key_index = 3, .key_gen = 7 + change, .key = key,
		};

		*key = (struct wavecrypt_key) {
			.gen = p.key_gen, .alg = p.alg, .key_len = p.key_len,
		};
		if (change == 1)
			key->key_len = 255;
		if (change == 2)
			key->alg = WAVECRYPT_ALGS;
		EXPECT(gpu_keys_put(&k, &p, 0) == !change,
		       "taken or not, with change %d", change);
		EXPECT(gpu_keys_have(&k, &p) == !change, "and there");
	}
	gpu_keys_exit(&k);
	end();
}

static const struct ktap_case cases[] = {
	{ "a key that changes after it was checked is not prepared", changed_in_place },
	{ "one of many goes: no other is looked at", one_of_many },
	{ "more went than the ring holds: none is missed", overtaken },
	{ "one in use is wiped later, or not if it was replaced", in_use },
	{ "ten thousand go: no other is looked at", many_come_and_go },
	{ "keys come and go", random_traffic },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
