// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each work-item has a stack of its own, and runs until it must wait for others.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdint.h>
#include <stdlib.h>
#include <valgrind/valgrind.h>

#include "workgroup.h"

#define MAX_LANES	256
#define WARP		32
#define STACK		(128 << 10)

enum state { RUNS, AT_BARRIER, AT_SHUFFLE, DONE };

static struct lane {
	void *at;			/* its stack's end */
	enum state state;
	uint32_t offers, from, got;	/* of a shuffle */
} lanes[MAX_LANES];

static uint8_t *stacks;
static void *scheduler;
static unsigned int current, group;
static void (*body)(void);

/* What the compiled kernel calls, by the names that OpenCL gives these */
size_t get_local_id(unsigned int dimension) __asm__("_Z12get_local_idj");
size_t get_group_id(unsigned int dimension) __asm__("_Z12get_group_idj");
void barrier(unsigned int flags) __asm__("_Z7barrierj");
uint32_t shuffle_word(uint32_t v, uint32_t lane);

/*
 * Goes on where the stack that ends at @to was left, and leaves this one's end at
 * @from. swapcontext() asks the kernel each time, and AddressSanitizer clears what
 * it knows of the stack: for shuffles that is most of the time.
 */
void switch_stacks(void **from, void *to);

/* What a call preserves */
__asm__("	.text\n"
	"switch_stacks:\n"
	"	push %rbp\n"
	"	push %rbx\n"
	"	push %r12\n"
	"	push %r13\n"
	"	push %r14\n"
	"	push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n"
	"	pop %r14\n"
	"	pop %r13\n"
	"	pop %r12\n"
	"	pop %rbx\n"
	"	pop %rbp\n"
	"	ret\n");

#define PRESERVED	6

size_t get_local_id(unsigned int dimension)
{
	return dimension ? 0 : current;
}

size_t get_group_id(unsigned int dimension)
{
	return dimension ? 0 : group;
}

static void wait_as(enum state state)
{
	lanes[current].state = state;
	switch_stacks(&lanes[current].at, scheduler);
}

void barrier(unsigned int flags)
{
	(void)flags;
	wait_as(AT_BARRIER);
}

uint32_t shuffle_word(uint32_t v, uint32_t lane)
{
	lanes[current].offers = v;
	lanes[current].from = lane;
	wait_as(AT_SHUFFLE);
	return lanes[current].got;
}

static void start(void)
{
	body();
	wait_as(DONE);
}

static void resume(unsigned int lane)
{
	current = lane;
	lanes[lane].state = RUNS;
	switch_stacks(&scheduler, lanes[lane].at);
}

/* Takes every lane's offer, that a secret choice of lane be no secret address */
static void exchange(struct lane *warp)
{
	for (unsigned int i = 0; i < WARP; i++) {
		uint32_t got = 0;

		for (unsigned int j = 0; j < WARP; j++) {
			const uint32_t differ = (warp[i].from ^ j) % WARP;

			got |= warp[j].offers & ((differ - 1) >> 31) * UINT32_MAX;
		}
		warp[i].got = got;
	}
}

/* Runs the lanes @from to @to until all of them have come to the same end */
static const char *run_warp(unsigned int from, unsigned int to)
{
	for (;;) {
		for (unsigned int i = from; i < to; i++)
			resume(i);
		for (unsigned int i = from; i < to; i++)
			if (lanes[i].state != lanes[from].state)
				return "the lanes of a warp wait for different things";
		if (lanes[from].state != AT_SHUFFLE)
			return NULL;
		if (to - from != WARP)
			return "a shuffle in a warp that is not full";
		exchange(&lanes[from]);
	}
}

/* As if it had been left before its first instruction */
static void prepare(unsigned int lane)
{
	void **top = (void **)(stacks + (size_t)(lane + 1) * STACK);

	/* Where start() would return to, which it does not */
	*--top = NULL;
	*--top = (void *)start;
	lanes[lane].at = top - PRESERVED;
}

const char *workgroup_run(unsigned int id, unsigned int nr, void (*kernel)(void))
{
	if (nr > MAX_LANES)
		return "work-group too large";
	if (!stacks) {
		stacks = aligned_alloc(4096, (size_t)MAX_LANES * STACK);
		if (!stacks)
			return "no memory for stacks";
		for (size_t i = 0; i < MAX_LANES; i++)
			(void)VALGRIND_STACK_REGISTER(stacks + i * STACK,
						      stacks + (i + 1) * STACK - 1);
	}

	group = id;
	body = kernel;
	for (unsigned int i = 0; i < nr; i++)
		prepare(i);
	do {
		for (unsigned int i = 0; i < nr; i += WARP) {
			const char *error = run_warp(i, i + WARP < nr ? i + WARP : nr);

			if (error)
				return error;
		}
		for (unsigned int i = 0; i < nr; i++)
			if (lanes[i].state != lanes[0].state)
				return "a barrier that not all lanes come to";
	} while (lanes[0].state != DONE);
	return NULL;
}
