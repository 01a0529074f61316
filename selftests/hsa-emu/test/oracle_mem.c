// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The same for what goes to memory: byte by byte, lane after lane
 */
#include <stdio.h>
#include <string.h>

#include "ops.h"

static bool less(u64 a, u64 b, u64 bits)
{
	u64 sign = 1ULL << (bits - 1);

	return (a ^ sign) < (b ^ sign);
}

#include "oracle_mem.inc"

const unsigned int nr_mem_ops = ARRAY_SIZE(mem_ops);

static unsigned int dwords(const struct op *op)
{
	return op->size > 4 ? op->size / 4U : 1;
}

static unsigned int pick_v(unsigned int nr)
{
	return rnd_below(NR_VREGS - nr + 1);
}

static const char *regs(char *buf, char file, unsigned int n, unsigned int nr)
{
	if (nr > 1)
		snprintf(buf, 16, "%c[%u:%u]", file, n, n + nr - 1);
	else
		snprintf(buf, 16, "%c%u", file, n);
	return buf;
}

static bool is_pair(const struct op *op)
{
	return op->enc == DS_READ2 || op->enc == DS_WRITE2 || op->enc == DS_WRXCHG2;
}

static void make_ds(struct inst *in)
{
	const struct op *op = in->op;
	unsigned int nr = dwords(op), place = op->stride == 64 ? 2 : op->size == 8 ? 2 : 4;
	bool load = op->enc == DS_READ || op->enc == DS_READ2 || op->enc == DS_SWIZZLE;
	bool dst = load || op->back || op->enc == DS_WRXCHG2 || op->enc >= DS_SWIZZLE;
	bool second = op->two || (is_pair(op) && !load);
	unsigned int nr_dst = is_pair(op) ? 2 * nr : nr;
	char a[16], b[16], c[16], d[16], offset[64] = "";

	in->dst = pick_v(nr_dst);
	in->x[0].n = (s32)pick_v(1);
	in->x[1].n = (s32)pick_v(nr);
	in->x[2].n = (s32)pick_v(nr);
	if (is_pair(op)) {
		in->offset[0] = rnd_below(place);
		in->offset[1] = (in->offset[0] + 1 + rnd_below(place - 1)) % place;
		snprintf(offset, sizeof(offset), " offset0:%u offset1:%u", in->offset[0],
			 in->offset[1]);
	} else if (op->enc == DS_SWIZZLE) {
		in->offset[0] = rnd() & 1 ? 0x8000 | rnd_below(256) : rnd_below(0x8000);
		snprintf(offset, sizeof(offset), " offset:%u", in->offset[0]);
	} else if (rnd() & 1) {
		in->offset[0] = rnd_below(256) * 4;
		snprintf(offset, sizeof(offset), " offset:%u", in->offset[0]);
	}
	snprintf(in->text, sizeof(in->text), "%s %s%s%s%s%s%s%s%s", op->name,
		 dst ? regs(d, 'v', in->dst, nr_dst) : "", dst ? ", " : "",
		 regs(a, 'v', (u32)in->x[0].n, 1), load ? "" : ", ",
		 load ? "" : regs(b, 'v', (u32)in->x[1].n, nr),
		 second ? ", " : "", second ? regs(c, 'v', (u32)in->x[2].n, nr) : "", offset);
}

static void make_flat(struct inst *in)
{
	const struct op *op = in->op;
	unsigned int nr = dwords(op), nr_data = op->two ? 2 * nr : nr;
	char a[16], b[16], d[16], s[16], tail[64] = "";
	bool load = op->enc == FLAT_LOAD, dst;

	in->global = in->gen == GFX9 && rnd() & 1;
	in->saddr = in->global && rnd() & 1;
	in->glc = op->enc == FLAT_ATOMIC && rnd() & 1;
	dst = load || in->glc;
	in->dst = pick_v(nr);
	in->x[0].n = (s32)pick_v(2);
	in->x[1].n = (s32)pick_v(nr_data);
	in->sdst = rnd_below(NR_SREGS / 2) * 2;
	if (in->gen == GFX9 && rnd() & 1)
		in->offset[0] = in->global ? rnd_below(512) - 256 : rnd_below(512);
	if (in->global)
		snprintf(tail, sizeof(tail), ", %s",
			 in->saddr ? regs(s, 's', in->sdst, 2) : "off");
	if (in->offset[0])
		snprintf(tail + strlen(tail), sizeof(tail) - strlen(tail), " offset:%d",
			 (s32)in->offset[0]);
	snprintf(in->text, sizeof(in->text), "%s_%s %s%s%s%s%s%s%s",
		 in->global ? "global" : "flat", op->name,
		 dst ? regs(d, 'v', in->dst, nr) : "", dst ? ", " : "",
		 regs(a, 'v', (u32)in->x[0].n, in->saddr ? 1 : 2), load ? "" : ", ",
		 load ? "" : regs(b, 'v', (u32)in->x[1].n, nr_data), tail,
		 in->glc ? " glc" : "");
}

static void make_smem(struct inst *in)
{
	unsigned int nr = dwords(in->op), step = nr > 4 ? 4 : nr;
	char d[16];

	in->dst = rnd_below((NR_SREGS - nr) / step + 1) * step;
	in->sdst = rnd_below(NR_SREGS / 2) * 2;
	in->x[0].n = (s32)rnd_below(NR_SREGS);
	/* An offset in a register, which must not be the address's */
	in->saddr = rnd() & 1 && in->x[0].n / 2 * 2 != (s32)in->sdst;
	in->offset[0] = rnd_below(256) * 4;
	snprintf(in->text, sizeof(in->text), "%s %s, s[%u:%u], ", in->op->name,
		 regs(d, 's', in->dst, nr), in->sdst, in->sdst + 1);
	if (in->saddr)
		snprintf(in->text + strlen(in->text), 20, "s%u", (u32)in->x[0].n);
	else
		snprintf(in->text + strlen(in->text), 20, "0x%x", in->offset[0]);
}

void mem_make(struct inst *in)
{
	if (in->op->enc == SMEM_LOAD)
		make_smem(in);
	else if (in->op->enc >= FLAT_LOAD)
		make_flat(in);
	else
		make_ds(in);
}

/* Where each lane's place starts: none overlaps another, where they store. */
static u32 place_of(const struct inst *in, unsigned int lane, u32 shuffle)
{
	const struct op *op = in->op;
	u32 slot = lane ^ (shuffle & 63), spacing = op->stride == 64 ? op->size : 16, slack = 0;
	bool aligned = op->enc == DS_ATOMIC || op->enc == DS_WRXCHG2 || op->enc == FLAT_ATOMIC ||
		       (in->gen == GFX8 && op->enc < FLAT_LOAD);

	if (!is_pair(op))
		slack = 16 - op->size;
	slack = slack ? shuffle >> 8 & slack : 0;
	if (aligned)
		slack &= ~(op->size - 1U);
	if (op->size == 12)
		slack = 0;
	if (slack + op->size > 16)
		slack = 0;
	return 1024 + slot * spacing + slack;
}

void mem_prepare(const struct inst *in, struct state *st)
{
	u32 shuffle = rnd();
	unsigned int a = (unsigned int)in->x[0].n;

	if (in->op->enc == SMEM_LOAD) {
		u64 base = MEM_BASE + rnd_below(256) * 4;

		st->s[in->sdst] = (u32)base;
		st->s[in->sdst + 1] = (u32)(base >> 32);
		if (in->saddr)
			st->s[a] = in->offset[0];
		return;
	}
	if (in->saddr) {
		u64 base = MEM_BASE + (rnd_below(128) * 4 + 16);

		st->s[in->sdst] = (u32)base;
		st->s[in->sdst + 1] = (u32)(base >> 32);
	}
	for (unsigned int l = 0; l < LANES; l++) {
		u32 place = place_of(in, l, shuffle);
		u64 addr = MEM_BASE + place - (u64)(s64)(s32)in->offset[0];

		if (in->op->enc >= DS_SWIZZLE && in->op->enc <= DS_BPERMUTE) {
			st->v[a][l] = in->op->enc == DS_SWIZZLE ? st->v[a][l] : rnd();
		} else if (in->op->enc < FLAT_LOAD) {
			st->v[a][l] = place - (is_pair(in->op) ? 0 : in->offset[0]);
		} else if (in->saddr) {
			addr -= st->s[in->sdst] | (u64)st->s[in->sdst + 1] << 32;
			st->v[a][l] = (u32)addr;
		} else {
			st->v[a][l] = (u32)addr;
			st->v[a + 1][l] = (u32)(addr >> 32);
		}
	}
}

static u64 get(const u8 *p, unsigned int size)
{
	u64 x = 0;

	for (unsigned int k = size; k-- > 0;)
		x = x << 8 | p[k];
	return x;
}

static void set(u8 *p, unsigned int size, u64 x)
{
	for (unsigned int k = 0; k < size; k++) {
		p[k] = (u8)x;
		x >>= 8;
	}
}

static u64 pair(const struct state *st, unsigned int reg, unsigned int l, unsigned int size)
{
	return size == 8 ? st->v[reg][l] | (u64)st->v[reg + 1][l] << 32 : st->v[reg][l];
}

static void load_lane(const struct inst *in, struct state *st, const u8 *p, unsigned int l,
		      unsigned int dst)
{
	const struct op *op = in->op;
	u32 old = st->v[dst][l], x;

	if (op->size >= 4) {
		for (unsigned int k = 0; k < op->size / 4U; k++)
			st->v[dst + k][l] = (u32)get(p + 4 * k, 4);
		return;
	}
	x = (u32)get(p, op->size);
	if (op->sign && x >> (8 * op->size - 1))
		x |= ~0U << 8 * op->size;
	if (op->part == 1)
		x = (x & 0xffff) + (old >> 16 << 16);
	if (op->part == 2)
		x = (x << 16) + (old & 0xffff);
	st->v[dst][l] = x;
}

static void store_lane(const struct inst *in, const struct state *st, u8 *p, unsigned int l,
		       unsigned int src)
{
	const struct op *op = in->op;

	if (op->size < 4)
		set(p, op->size, st->v[src][l] >> (op->part == 2 ? 16 : 0));
	else
		for (unsigned int k = 0; k < op->size / 4U; k++)
			set(p + 4 * k, 4, st->v[src + k][l]);
}

static void change_lane(const struct inst *in, struct state *st, u8 *p, unsigned int l, u64 data,
			u64 data2, bool back, unsigned int dst)
{
	unsigned int size = in->op->size;
	u64 old = get(p, size);
	struct flags f = { 0 };

	set(p, size, in->op->enc == DS_WRXCHG2 ? data :
	    in->op->fn(old, data, data2, 8 * size, &f));
	if (!back)
		return;
	st->v[dst][l] = (u32)old;
	if (size == 8)
		st->v[dst + 1][l] = (u32)(old >> 32);
}

static void expect_ds(const struct inst *in, struct state *st, unsigned int l)
{
	const struct op *op = in->op;
	unsigned int nr = dwords(op), data = (u32)in->x[1].n, data2 = (u32)in->x[2].n;
	u32 addr = st->v[in->x[0].n][l];
	u8 *p = st->lds + addr + in->offset[0], *p0, *p1;
	u64 x[2] = { pair(st, data, l, op->size), pair(st, data2, l, op->size) };

	p0 = st->lds + addr + in->offset[0] * op->size * op->stride;
	p1 = st->lds + addr + in->offset[1] * op->size * op->stride;
	switch (op->enc) {
	case DS_READ:
		load_lane(in, st, p, l, in->dst);
		break;
	case DS_READ2:
		load_lane(in, st, p0, l, in->dst);
		load_lane(in, st, p1, l, in->dst + nr);
		break;
	case DS_WRITE:
		store_lane(in, st, p, l, data);
		break;
	case DS_WRITE2:
		store_lane(in, st, p0, l, data);
		store_lane(in, st, p1, l, data2);
		break;
	case DS_WRXCHG2:
		change_lane(in, st, p0, l, x[0], 0, true, in->dst);
		change_lane(in, st, p1, l, x[1], 0, true, in->dst + nr);
		break;
	default:
		change_lane(in, st, p, l, x[0], x[1], op->back, in->dst);
	}
}

static void expect_exchange(const struct inst *in, struct state *st)
{
	unsigned int a = (u32)in->x[0].n, k = in->offset[0];
	u32 out[LANES] = { 0 };

	for (unsigned int l = 0; l < LANES; l++) {
		unsigned int from = l;

		if (!(st->exec >> l & 1) && in->op->enc != DS_SWIZZLE)
			continue;
		if (in->op->enc == DS_SWIZZLE) {
			if (k >= 0x8000)
				from = l / 4 * 4 + (k >> 2 * (l % 4)) % 4;
			else
				from = l / 32 * 32 +
				       (((l % 32 & k) | k >> 5) ^ k >> 10) % 32;
			out[l] = st->exec >> from & 1 ? st->v[a][from] : 0;
		} else if (in->op->enc == DS_BPERMUTE) {
			from = (st->v[a][l] + k) / 4 % 64;
			out[l] = st->exec >> from & 1 ? st->v[in->x[1].n][from] : 0;
		} else {
			out[(st->v[a][l] + k) / 4 % 64] = st->v[in->x[1].n][l];
		}
	}
	for (unsigned int l = 0; l < LANES; l++)
		if (st->exec >> l & 1)
			st->v[in->dst][l] = out[l];
}

static void expect_flat(const struct inst *in, struct state *st, unsigned int l)
{
	unsigned int a = (u32)in->x[0].n, data = (u32)in->x[1].n;
	u64 addr = (u64)(s64)(s32)in->offset[0] + st->v[a][l];
	unsigned int size = in->op->size;
	u8 *p;

	addr += in->saddr ? st->s[in->sdst] | (u64)st->s[in->sdst + 1] << 32 :
		(u64)st->v[a + 1][l] << 32;
	p = st->mem + (addr - MEM_BASE);
	if (in->op->enc == FLAT_LOAD)
		load_lane(in, st, p, l, in->dst);
	else if (in->op->enc == FLAT_STORE)
		store_lane(in, st, p, l, data);
	else
		change_lane(in, st, p, l, pair(st, data, l, size),
			    in->op->two ? pair(st, data + dwords(in->op), l, size) : 0, in->glc,
			    in->dst);
}

void mem_expect(const struct inst *in, struct state *st)
{
	enum enc enc = in->op->enc;

	if (enc == SMEM_LOAD) {
		u64 addr = (st->s[in->sdst] | (u64)st->s[in->sdst + 1] << 32) + in->offset[0];

		for (unsigned int k = 0; k < dwords(in->op); k++)
			st->s[in->dst + k] = (u32)get(st->mem + (addr - MEM_BASE) + 4 * k, 4);
		return;
	}
	if (enc >= DS_SWIZZLE && enc <= DS_BPERMUTE) {
		expect_exchange(in, st);
		return;
	}
	for (unsigned int l = 0; l < LANES; l++) {
		if (!(st->exec >> l & 1))
			continue;
		if (enc >= FLAT_LOAD)
			expect_flat(in, st, l);
		else
			expect_ds(in, st, l);
	}
}
