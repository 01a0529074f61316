// SPDX-License-Identifier: GPL-2.0-only
/*
 * wavecrypt_test: memory in pieces, anywhere, with guards around each
 *
 * A piece ends where its allocation does, so that KASAN sees a step too far, or
 * it has a few bytes behind it that nobody may write to.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "test.h"

#define GUARD		0x5c
#define LARGEST_PIECE	(32 * 1024)

/* Where to cut: mostly anywhere, often near the beginning, at times near the
 * end, which is where AAD and ICV are.
 */
static unsigned int piece_length(struct test_rand *rand, unsigned int rest,
				 bool last)
{
	unsigned int len = rest;

	if (!last)
		switch (test_below(rand, 4)) {
		case 0:
			len = test_between(rand, 1, min(rest, 24U));
			break;
		case 1:
			len = rest - min(rest - 1, test_below(rand, 24));
			break;
		default:
			len = test_between(rand, 1, rest);
			break;
		}
	return min_t(unsigned int, len, LARGEST_PIECE);
}

static void list_pieces(struct test_mem *list, const struct test_mem *mem,
			struct test_rand *rand, bool cut)
{
	unsigned int i, at = 0, nr = 0, split = TEST_MAX_SEGS * 2;
	struct scatterlist *sg = list->sg[0];

	if (test_once_in(rand, 3))
		split = test_between(rand, 1, mem->nr);
	sg_init_table(list->sg[0], ARRAY_SIZE(list->sg[0]));
	sg_init_table(list->sg[1], ARRAY_SIZE(list->sg[1]));

	for (i = 0; i < mem->nr; i++) {
		u8 *data = mem->piece[i].mem + mem->piece[i].off;
		unsigned int len = mem->piece[i].len, first = len;

		if (cut && len > 1 && test_once_in(rand, 2))
			first = test_between(rand, 1, len - 1);
		for (; len; data += first, len -= first, first = len) {
			if (nr++ == split && sg == list->sg[0]) {
				/* Go on in the other one. */
				sg_chain(list->sg[0], at + 1, list->sg[1]);
				sg = list->sg[1];
				at = 0;
			}
			sg_set_buf(&sg[at++], data, first);
		}
	}
	if (at)
		sg_mark_end(&sg[at - 1]);
}

/**
 * test_mem_make - memory for so many bytes, and a scatterlist of it
 * @mem: what is made
 * @len: how many bytes. If there are none, a single one that must not be used.
 * @rand: how to scatter it
 *
 * Return: 0 or -ENOMEM; test_mem_free() is to be called in either case.
 */
int test_mem_make(struct test_mem *mem, unsigned int len, struct test_rand *rand)
{
	unsigned int want = 1, rest = len;

	if (!test_once_in(rand, 3))
		want = test_between(rand, 2, TEST_MAX_SEGS);
	memset(mem->piece, 0, sizeof(mem->piece));
	mem->nr = 0;
	mem->len = len;
	while (rest || !mem->nr) {
		/* The last pieces have room for the longest requests. */
		bool last = mem->nr + 1 >= want || mem->nr > TEST_MAX_SEGS - 4;
		unsigned int part = rest ? piece_length(rand, rest, last) : 1;
		unsigned int off = test_below(rand, 64);
		unsigned int tail = test_once_in(rand, 2) ? 16 : 0;
		u8 *data = kmalloc(off + part + tail, GFP_KERNEL | __GFP_NOWARN);

		if (!data)
			return -ENOMEM;
		memset(data, GUARD, off + part + tail);
		mem->piece[mem->nr].mem = data;
		mem->piece[mem->nr].off = off;
		mem->piece[mem->nr].len = part;
		mem->piece[mem->nr].tail = tail;
		mem->nr++;
		rest -= min(rest, part);
	}
	list_pieces(mem, mem, rand, false);
	return 0;
}

/**
 * test_mem_list - another scatterlist of the same memory
 * @list: where to put the list; its memory is the other's
 * @mem: the memory
 * @rand: how to cut it this time
 */
void test_mem_list(struct test_mem *list, const struct test_mem *mem,
		   struct test_rand *rand)
{
	list->nr = 0;
	list->len = mem->len;
	list_pieces(list, mem, rand, true);
}

/** test_mem_free - give it back */
void test_mem_free(struct test_mem *mem)
{
	while (mem->nr)
		kfree(mem->piece[--mem->nr].mem);
}

/** test_mem_write - fill all of it */
void test_mem_write(struct test_mem *mem, const u8 *from)
{
	unsigned int i, at = 0;

	for (i = 0; i < mem->nr && at < mem->len; at += mem->piece[i++].len)
		memcpy(mem->piece[i].mem + mem->piece[i].off, from + at,
		       mem->piece[i].len);
}

/** test_mem_fill - fill all of it with one byte */
void test_mem_fill(struct test_mem *mem, u8 byte)
{
	unsigned int i;

	for (i = 0; i < mem->nr && mem->len; i++)
		memset(mem->piece[i].mem + mem->piece[i].off, byte, mem->piece[i].len);
}

/**
 * test_mem_guarded - whether nobody wrote around it
 * @mem: the memory
 * @piece: where to store the piece around which somebody did
 */
bool test_mem_guarded(const struct test_mem *mem, unsigned int *piece)
{
	for (*piece = 0; *piece < mem->nr; ++*piece) {
		const u8 *data = mem->piece[*piece].mem;
		unsigned int off = mem->piece[*piece].off;

		if (memchr_inv(data, GUARD, off) ||
		    memchr_inv(data + off + mem->piece[*piece].len, GUARD,
			       mem->piece[*piece].tail))
			return false;
	}
	return true;
}

/**
 * test_mem_differs - the first byte that is not as it should be
 * @mem: the memory
 * @from: how it should be
 * @begin: first byte to look at
 * @end: first byte not to look at
 * @found: where to store what is there instead
 *
 * Return: its place, or -1.
 */
int test_mem_differs(const struct test_mem *mem, const u8 *from,
		     unsigned int begin, unsigned int end, u8 *found)
{
	unsigned int i, at = 0, from_byte, to_byte;

	for (i = 0; i < mem->nr && at < min(end, mem->len);
	     at += mem->piece[i++].len) {
		const u8 *data = mem->piece[i].mem + mem->piece[i].off;

		from_byte = max(begin, at);
		to_byte = min(end, at + mem->piece[i].len);
		if (from_byte >= to_byte ||
		    !memcmp(data + (from_byte - at), from + from_byte,
			    to_byte - from_byte))
			continue;
		while (data[from_byte - at] == from[from_byte])
			from_byte++;
		*found = data[from_byte - at];
		return from_byte;
	}
	return -1;
}
