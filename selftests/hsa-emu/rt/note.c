// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * As much of MessagePack as metadata has: maps, arrays, strings, numbers
 */
#include <string.h>

#include "note.h"

struct reader {
	const u8 *at, *end;
	bool bad;
};

static u64 take(struct reader *r, unsigned int bytes)
{
	u64 x = 0;

	if ((size_t)(r->end - r->at) < bytes) {
		r->bad = true;
		return 0;
	}
	while (bytes--)
		x = x << 8 | *r->at++;
	return x;
}

enum kind { NUMBER, STRING, ARRAY, MAP, OTHER };

/*
 * What comes next. size: bytes of a string, which are not read yet, elements of
 * an array, pairs of a map, or the number itself.
 */
static enum kind next(struct reader *r, u64 *size)
{
	u8 tag = (u8)take(r, 1);

	*size = 0;
	if (tag < 0x80) {
		*size = tag;
		return NUMBER;
	}
	if (tag < 0x90) {
		*size = tag & 15;
		return MAP;
	}
	if (tag < 0xa0) {
		*size = tag & 15;
		return ARRAY;
	}
	if (tag < 0xc0) {
		*size = tag & 31;
		return STRING;
	}
	if (tag >= 0xe0) {
		*size = (u64)(s64)(s8)tag;
		return NUMBER;
	}
	switch (tag) {
	case 0xc0:	/* nil, false, true */
	case 0xc2:
	case 0xc3:
		*size = tag == 0xc3;
		return OTHER;
	case 0xcc:
	case 0xcd:
	case 0xce:
	case 0xcf:
		*size = take(r, 1U << (tag - 0xcc));
		return NUMBER;
	case 0xd0:
	case 0xd1:
	case 0xd2:
	case 0xd3:
		*size = take(r, 1U << (tag - 0xd0));
		return NUMBER;
	case 0xd9:
	case 0xda:
	case 0xdb:
		*size = take(r, 1U << (tag - 0xd9));
		return STRING;
	case 0xdc:
	case 0xdd:
		*size = take(r, tag == 0xdc ? 2 : 4);
		return ARRAY;
	case 0xde:
	case 0xdf:
		*size = take(r, tag == 0xde ? 2 : 4);
		return MAP;
	}
	r->bad = true;
	return OTHER;
}

static void skip(struct reader *r)
{
	/* Values still to be skipped: a container adds what is in it. */
	for (u64 left = 1; left && !r->bad; left--) {
		u64 size;

		switch (next(r, &size)) {
		case STRING:
			if ((u64)(r->end - r->at) < size)
				r->bad = true;
			else
				r->at += size;
			break;
		case MAP:
			left += 2 * size;
			break;
		case ARRAY:
			left += size;
			break;
		default:
			break;
		}
	}
}

/* Reads a string, and says whether it is this one */
static bool is(struct reader *r, const char *text)
{
	const u8 *at = r->at;
	u64 size;

	if (next(r, &size) != STRING || (u64)(r->end - r->at) < size) {
		r->bad = true;
		return false;
	}
	at = r->at;
	r->at += size;
	return size == strlen(text) && !memcmp(at, text, size);
}

static u32 number(struct reader *r)
{
	u64 x;

	if (next(r, &x) != NUMBER)
		r->bad = true;
	return (u32)x;
}

/* The key that comes next: one of these, or -1 */
static int key(struct reader *r, const char *const *keys)
{
	struct reader start = *r;

	for (int k = 0; keys[k]; k++) {
		*r = start;
		if (is(r, keys[k]))
			return k;
	}
	return -1;
}

static bool read_kernel(struct reader *r, const char *symbol, struct note_kernel *k)
{
	static const char *const keys[] = {
		".symbol", ".max_flat_workgroup_size", ".reqd_workgroup_size",
		".kernarg_segment_align", NULL
	};
	bool found = false;
	u64 pairs, size;

	memset(k, 0, sizeof(*k));
	if (next(r, &pairs) != MAP) {
		r->bad = true;
		return false;
	}
	while (pairs-- && !r->bad) {
		switch (key(r, keys)) {
		case 0:
			found = is(r, symbol);
			break;
		case 1:
			k->group_max = number(r);
			break;
		case 2:
			if (next(r, &size) != ARRAY || size != 3)
				r->bad = true;
			for (unsigned int n = 0; n < 3 && !r->bad; n++)
				k->group[n] = number(r);
			break;
		case 3:
			k->kernarg_align = number(r);
			break;
		default:
			skip(r);
		}
	}
	return found && !r->bad;
}

bool note_find(const u8 *note, size_t size, const char *symbol, struct note_kernel *k)
{
	static const char *const keys[] = { "amdhsa.kernels", NULL };
	struct reader r = { .at = note, .end = note + size };
	u64 pairs, kernels;

	if (next(&r, &pairs) != MAP)
		return false;
	while (pairs-- && !r.bad) {
		if (key(&r, keys) != 0) {
			skip(&r);
			continue;
		}
		if (next(&r, &kernels) != ARRAY)
			return false;
		while (kernels-- && !r.bad)
			if (read_kernel(&r, symbol, k))
				return true;
	}
	return false;
}
