// SPDX-License-Identifier: GPL-2.0-only
/*
 * When the bell is rung.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "channel/bell.h"
#include "ktap.h"

#define PATIENCE	1000
#define AGAIN		100000

static struct bell fresh(void)
{
	return (struct bell) { .max_patience = PATIENCE, .again = AGAIN };
}

/* Is it rung, when so much was submitted and so much reaped? */
static bool rung(struct bell *b, uint32_t submitted, uint32_t reaped,
		 uint32_t published, uint64_t now)
{
	return bell_due(b, submitted, false, now) &&
	       bell_check(b, reaped, published, false, now);
}

static void quiet_submitter(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	EXPECT(!bell_due(&b, 4, false, 50), "nothing was published");
	bell_published(&b, 4, 50);
	EXPECT(rung(&b, 4, 0, 4, 50), "waited for nobody");
	EXPECT(!rung(&b, 4, 0, 4, 60), "rung twice");
}

static void busy_submitter(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	bell_published(&b, 4, 50);
	EXPECT(!bell_due(&b, 5, false, 51), "no patience");
	EXPECT(!bell_due(&b, 6, false, 49 + PATIENCE), "too little patience");
	EXPECT(!rung(&b, 7, 4, 4, 50 + PATIENCE), "rung for nothing");
	EXPECT(!b.waiting, "still waits");
}

static void patience_ends(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	bell_published(&b, 4, 0);
	EXPECT(!bell_due(&b, 5, false, 1), "no patience");
	/* More completions do not prolong it. */
	bell_published(&b, 9, PATIENCE / 2);
	EXPECT(!bell_due(&b, 10, false, PATIENCE - 1), "too little patience");
	EXPECT(rung(&b, 11, 0, 8, PATIENCE), "patience without end");
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
		bell_published(&b, i, now);
		while (!rung(&b, i + 1, done, done + 4, now))
			now++;
		done += 4;
		now += AGAIN;
		EXPECT(!rung(&b, i + 1, done, done, now), "rung for nothing");
	}
	EXPECT(b.patience == PATIENCE / 8, "patience %llu",
	       (unsigned long long)b.patience);
	/* but enough to notice that it would pay again. */
	bell_published(&b, 50, now);
	EXPECT(!bell_due(&b, 51, false, now), "none at all");
	now += PATIENCE;
	EXPECT(!rung(&b, 52, done + 4, done + 4, now), "rung for nothing");
	EXPECT(b.patience == PATIENCE, "patience %llu",
	       (unsigned long long)b.patience);
}

static void one_outstanding(void)
{
	struct bell b = fresh();
	int times = 0;

	bell_published(&b, 1, 0);
	for (uint64_t now = 0; now < AGAIN; now += 100) {
		bell_published(&b, 1, now);
		times += rung(&b, 1, 0, 4 + now, now);
	}
	EXPECT(times == 1, "rung %d times", times);
	EXPECT(rung(&b, 1, 0, 4, AGAIN), "lost, and not rung again");
	EXPECT(!rung(&b, 1, 0, 4, AGAIN + 1), "rung at once again");
}

/* It was heard, but not of what was published since: that is not to wait. */
static void heard(void)
{
	struct bell b = fresh();

	bell_published(&b, 1, 0);
	EXPECT(rung(&b, 1, 0, 4, 0), "not rung");
	bell_published(&b, 1, 10);
	EXPECT(!rung(&b, 1, 0, 8, 10), "rung, though it was not heard yet");
	EXPECT(!rung(&b, 1, 0, 8, 11), "rung, though it was not heard yet");
	bell_published(&b, 1, 20);
	EXPECT(rung(&b, 1, 4, 12, 20), "it waits, though it was heard");
	/* By who is busy with what there was, and only then moves. */
	bell_published(&b, 1, 21);
	EXPECT(!rung(&b, 1, 4, 16, 21), "rung, though it was not heard yet");
	EXPECT(rung(&b, 1, 12, 16, 21 + PATIENCE), "it waits, though it was heard meanwhile");
	EXPECT(!bell_check(&b, 16, 16, false, 22 + PATIENCE) && !b.waiting, "still waits");
	/* One request at a time, reaped at once: a bell for each. */
	bell_published(&b, 2, 30 + PATIENCE);
	EXPECT(rung(&b, 2, 16, 17, 30 + PATIENCE), "the next one waits");
	EXPECT(!bell_check(&b, 17, 17, false, 31 + PATIENCE) && !b.waiting, "still waits");
}

/* It says that it comes: no bell, unless that takes for ever. And it is not asked all the
 * time, which would slow it down.
 */
static void comes_by_itself(void)
{
	struct bell b = fresh();

	bell_published(&b, 1, 0);
	for (uint64_t now = 0; now < AGAIN; now += PATIENCE) {
		EXPECT(bell_due(&b, 1, true, now), "not asked at %llu", (unsigned long long)now);
		EXPECT(!bell_check(&b, 0, 4, true, now), "rung, though it comes");
		EXPECT(!bell_due(&b, 1, true, now + 1), "asked again at once");
	}
	EXPECT(bell_due(&b, 1, true, AGAIN) && bell_check(&b, 0, 4, true, AGAIN),
	       "it never came");
	/* It came, and was too early for what was published since. */
	bell_published(&b, 2, AGAIN + 10);
	EXPECT(bell_check(&b, 4, 8, false, AGAIN + 10), "it waits, though it was heard");
	EXPECT(!bell_check(&b, 8, 8, true, AGAIN + 20) && !b.waiting, "still waits");
	/* It came without a bell. */
	bell_published(&b, 3, AGAIN + 30);
	EXPECT(!bell_check(&b, 8, 12, true, AGAIN + 30), "rung, though it comes");
	EXPECT(!bell_check(&b, 12, 12, true, AGAIN + 31) && !b.waiting, "still waits");
	EXPECT(!b.coming, "it comes for nothing");
}

static void idle_worker(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	EXPECT(!bell_due(&b, 4, true, 50), "nothing was published");
	bell_published(&b, 4, 50);
	EXPECT(bell_due(&b, 5, true, 51), "patience with nothing else to do");
}

static void wraps(void)
{
	struct bell b = fresh();

	bell_published(&b, UINT32_MAX, UINT64_MAX);
	EXPECT(rung(&b, UINT32_MAX, UINT32_MAX, 2, UINT64_MAX), "not rung");
	EXPECT(!rung(&b, UINT32_MAX, UINT32_MAX, 2, 5), "rung again");
	EXPECT(!rung(&b, 3, 2, 2, AGAIN + 6) && !b.waiting, "still waits");
}

/* As it may be while the machine is suspended: completions of before do not wait. */
static void set_back(void)
{
	struct bell b = fresh();

	b.patience = PATIENCE;
	bell_published(&b, 4, 1000 * AGAIN);
	EXPECT(!bell_due(&b, 5, false, 1000 * AGAIN), "no patience");
	EXPECT(rung(&b, 5, 0, 4, 50), "they wait");
	EXPECT(!rung(&b, 5, 0, 4, 60), "rung twice");
}

static const struct ktap_case cases[] = {
	{ "at once for a submitter that has gone quiet", quiet_submitter },
	{ "not at all for one that reaps by itself", busy_submitter },
	{ "after a while for one that does not", patience_ends },
	{ "patience follows what it brought", patience_adapts },
	{ "one outstanding, again only when it is lost", one_outstanding },
	{ "again for what was published after it was heard", heard },
	{ "none for one that says that it comes, unless it does not", comes_by_itself },
	{ "at once if there is nothing else to do", idle_worker },
	{ "counters and time wrap around", wraps },
	{ "the clock is set back", set_back },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
