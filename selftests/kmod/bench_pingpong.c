// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_bench: how far apart two CPUs are
 *
 * A process maps a page and echoes in its second line whatever number appears in
 * its first. The time that a number takes there and back is what every exchange
 * between a module and a polling helper is made of. It differs fivefold between
 * two cores that share a cache and two that do not, and a virtual machine's CPUs
 * move: so it belongs next to every figure.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/jiffies.h>
#include <linux/mm.h>

#include "bench.h"

#define ROUNDS	1000
#define SAMPLES	15

struct page_of_two {
	u32 ping;
	u8 pad[128 - 4];
	u32 pong;
};

static struct page *shared;

static int exchange(struct page_of_two *two, u32 number)
{
	unsigned long giveup = jiffies + HZ;

	WRITE_ONCE(two->ping, number);
	while (READ_ONCE(two->pong) != number) {
		if (time_after(jiffies, giveup))
			return -ETIMEDOUT;
	}
	return 0;
}

/* The process that echoes may need this CPU to come so far. */
static int await_echo(struct page_of_two *two, u32 number)
{
	unsigned long giveup = jiffies + 10 * HZ;

	WRITE_ONCE(two->ping, number);
	while (READ_ONCE(two->pong) != number) {
		if (time_after(jiffies, giveup))
			return -ETIMEDOUT;
		usleep_range(50, 100);
	}
	return 0;
}

/**
 * bench_pingpong - measure the distance to the process that echoes
 * @out: where to print a line for every sample
 *
 * Return: 0, or -ETIMEDOUT if no process echoes.
 */
int bench_pingpong(struct bench_output *out)
{
	struct page_of_two *two = page_address(shared);
	unsigned int i, round;
	u32 number = 0;
	u64 begin;
	int err;

	err = await_echo(two, ++number);
	for (i = 0; i < SAMPLES && !err; i++) {
		begin = bench_cycles();
		for (round = 0; round < ROUNDS && !err; round++)
			err = exchange(two, ++number);
		bench_print(out, "{\"pingpong_ns\":%llu}\n",
			    bench_cycles_to_ns(bench_cycles() - begin) / ROUNDS);
	}
	/* tells the process to go back to sleep */
	WRITE_ONCE(two->ping, 0);
	return err;
}

/**
 * bench_pingpong_mmap - map the page
 * @vma: where to
 */
int bench_pingpong_mmap(struct vm_area_struct *vma)
{
	return vm_insert_page(vma, vma->vm_start, shared);
}

int bench_pingpong_init(void)
{
	shared = alloc_page(GFP_KERNEL | __GFP_ZERO);
	return shared ? 0 : -ENOMEM;
}

void bench_pingpong_exit(void)
{
	__free_page(shared);
}
