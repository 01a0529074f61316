// SPDX-License-Identifier: GPL-2.0-only
/*
 * Channels' packets that GPUs know of: found by the channel, not by where it is.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include "backends/gpu/arena.h"
#include "ktap.h"

static struct gpu_arena *list;

static void shared(void)
{
	struct gpu_arena arena;
	struct channel ch, other;

	channel_init(&ch, NULL, "one");
	channel_init(&other, NULL, "another");
	gpu_arena_add(&list, &arena, &ch);
	EXPECT(!gpu_arena_find(list, &other), "another channel's");
	EXPECT(gpu_arena_find(list, &ch) == &arena, "not found");
	EXPECT(!gpu_arena_drop(&list, &arena), "gone, with a user left");
	EXPECT(gpu_arena_drop(&list, &arena), "without users, and still there");
	EXPECT(!gpu_arena_find(list, &ch), "gone, and found");
}

/* A GPU that hung keeps what it knows; the next channel may be where that one was. */
static void same_address(void)
{
	struct gpu_arena old, new;
	struct channel ch;

	channel_init(&ch, NULL, "before");
	gpu_arena_add(&list, &old, &ch);
	channel_init(&ch, NULL, "after");
	EXPECT(!gpu_arena_find(list, &ch), "a dead channel's");
	gpu_arena_add(&list, &new, &ch);
	EXPECT(gpu_arena_find(list, &ch) == &new, "not its own");
	gpu_arena_drop(&list, &new);
	EXPECT(gpu_arena_drop(&list, &new) && list == &old, "the other one is gone");
	list = NULL;
}

static const struct ktap_case cases[] = {
	{ "once for all instances", shared },
	{ "a channel where a dead one was has its own", same_address },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
