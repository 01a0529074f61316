// SPDX-License-Identifier: GPL-2.0-only
/*
 * When the bell is rung.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "bell.h"
#include "ktap.h"

#define PATIENCE	1000
#define AGAIN		100000

static struct bell fresh(void)
{
	return (struct bell) { .max_patience = PATIENCE, .again = AGAIN };
}

static void quiet_submitter(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	bell_published(&b, false, 50);
	EXPECT(bell_check(&b, 0, 4, 50), "waited for nobody");
	EXPECT(!bell_check(&b, 0, 4, 60), "rung twice");
}

static void busy_submitter(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	bell_published(&b, true, 50);
	EXPECT(!bell_check(&b, 0, 4, 51), "no patience");
	EXPECT(!bell_check(&b, 0, 4, 49 + PATIENCE), "too little patience");
	EXPECT(!bell_check(&b, 4, 4, 50 + PATIENCE), "rung for nothing");
	EXPECT(!b.waiting, "still waits");
}

static void patience_ends(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	bell_published(&b, true, 0);
	/* More completions do not prolong it. */
	bell_published(&b, true, PATIENCE / 2);
	EXPECT(bell_check(&b, 0, 8, PATIENCE), "patience without end");
	EXPECT(b.patience == PATIENCE / 2, "patience %llu",
	       (unsigned long long)b.patience);
}

static void patience_adapts(void)
{
	struct bell b = fresh();
	uint32_t done = 0;
	uint64_t now = 0;

	/* Never reaped without a bell: nearly none is left, */
	for (int i = 0; i < 20; i++) {
		bell_published(&b, true, now);
		while (!bell_check(&b, done, done + 4, now))
			now++;
		done += 4;
		bell_check(&b, done, done, now);
	}
	EXPECT(b.patience == PATIENCE / 8, "patience %llu",
	       (unsigned long long)b.patience);
	/* but enough to notice that it would pay again. */
	bell_published(&b, true, now);
	EXPECT(!bell_check(&b, done, done + 4, now), "none at all");
	bell_check(&b, done + 4, done + 4, now + 1);
	EXPECT(b.patience == PATIENCE, "patience %llu",
	       (unsigned long long)b.patience);
}

static void one_outstanding(void)
{
	struct bell b = fresh();
	int rung = 0;

	bell_published(&b, false, 0);
	for (uint64_t now = 0; now < AGAIN; now += 100) {
		bell_published(&b, false, now);
		rung += bell_check(&b, 0, 4 + now, now);
	}
	EXPECT(rung == 1, "rung %d times", rung);
	EXPECT(bell_check(&b, 0, 4, AGAIN), "lost, and not rung again");
	EXPECT(!bell_check(&b, 0, 4, AGAIN + 1), "rung at once again");
	/* It was heard, but not of what came since. */
	EXPECT(!bell_check(&b, 3, 8, AGAIN + 2),
	       "no patience with one who listens");
	EXPECT(bell_check(&b, 3, 8, AGAIN + 2 + PATIENCE), "forgotten");
}

static void wraps(void)
{
	struct bell b = fresh();

	bell_published(&b, false, UINT64_MAX);
	EXPECT(bell_check(&b, UINT32_MAX, 2, UINT64_MAX), "not rung");
	EXPECT(!bell_check(&b, UINT32_MAX, 2, 5), "rung again");
	EXPECT(!bell_check(&b, 2, 2, 6) && !b.waiting, "still waits");
}

static const struct ktap_case cases[] = {
	{ "at once for a submitter that has gone quiet", quiet_submitter },
	{ "not at all for one that reaps by itself", busy_submitter },
	{ "after a while for one that does not", patience_ends },
	{ "patience follows what it brought", patience_adapts },
	{ "one outstanding, again only when it is lost", one_outstanding },
	{ "counters and time wrap around", wraps },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
