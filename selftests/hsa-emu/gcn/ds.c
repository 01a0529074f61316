// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Local memory, and lanes reading one another's registers through it: DS
 */
#include "access.h"
#include "atomic.h"
#include "encodings.h"
#include "operand.h"

enum kind {
	KIND_NONE,
	KIND_READ,
	KIND_READ2,
	KIND_WRITE,
	KIND_WRITE2,
	KIND_ATOMIC,		/* and without a result */
	KIND_ATOMIC_RTN,
	KIND_WRXCHG2,		/* exchanges two places */
	KIND_SWIZZLE,
	KIND_PERMUTE,
	KIND_BPERMUTE,
};

enum part {
	PART_LOW = 1,		/* the lower half of the register, the upper one stays */
	PART_HIGH,
};

struct ds_op {
	const char *name;
	enum kind kind;
	u8 size;		/* bytes of one place */
	u8 stride;		/* of the offsets of READ2 and WRITE2 */
	bool sign;
	enum part part;
	enum gcn_gen gens;
	atomic_fn *fn;
	bool two;		/* an atomic with two operands */
};

#define READ(str, bytes, ...) \
	{ .name = str, .kind = KIND_READ, .size = bytes, .gens = GFX8_9, __VA_ARGS__ }
#define WRITE(str, bytes) \
	{ .name = str, .kind = KIND_WRITE, .size = bytes, .gens = GFX8_9 }
#define PART(str, sort, bytes, ...) \
	{ .name = str, .kind = KIND_ ## sort, .size = bytes, .gens = GFX9, __VA_ARGS__ }
#define PAIR(str, sort, bytes, steps) \
	{ .name = str, .kind = KIND_ ## sort, .size = bytes, .stride = steps, .gens = GFX8_9 }
#define LDS_ATOMIC(str, bytes, f, ...) \
	{ .name = str, .kind = KIND_ATOMIC, .size = bytes, .fn = atomic_ ## f, .gens = GFX8_9, \
	  __VA_ARGS__ }
#define LDS_ATOMIC_RTN(str, bytes, f, ...) \
	{ .name = str, .kind = KIND_ATOMIC_RTN, .size = bytes, .fn = atomic_ ## f, \
	  .gens = GFX8_9, __VA_ARGS__ }
#define EXCHANGE(str, sort) \
	{ .name = str, .kind = KIND_ ## sort, .size = 4, .gens = GFX8_9 }

static const struct ds_op ops[256] = {
	[0] = LDS_ATOMIC("ds_add_u32", 4, add),
	[1] = LDS_ATOMIC("ds_sub_u32", 4, sub),
	[2] = LDS_ATOMIC("ds_rsub_u32", 4, rsub),
	[3] = LDS_ATOMIC("ds_inc_u32", 4, inc),
	[4] = LDS_ATOMIC("ds_dec_u32", 4, dec),
	[5] = LDS_ATOMIC("ds_min_i32", 4, smin32),
	[6] = LDS_ATOMIC("ds_max_i32", 4, smax32),
	[7] = LDS_ATOMIC("ds_min_u32", 4, umin),
	[8] = LDS_ATOMIC("ds_max_u32", 4, umax),
	[9] = LDS_ATOMIC("ds_and_b32", 4, and),
	[10] = LDS_ATOMIC("ds_or_b32", 4, or),
	[11] = LDS_ATOMIC("ds_xor_b32", 4, xor),
	[12] = LDS_ATOMIC("ds_mskor_b32", 4, mskor, .two = true),
	[13] = WRITE("ds_write_b32", 4),
	[14] = PAIR("ds_write2_b32", WRITE2, 4, 4),
	[15] = PAIR("ds_write2st64_b32", WRITE2, 4, 64),
	[16] = LDS_ATOMIC("ds_cmpst_b32", 4, cmpst, .two = true),
	[30] = WRITE("ds_write_b8", 1),
	[31] = WRITE("ds_write_b16", 2),
	[32] = LDS_ATOMIC_RTN("ds_add_rtn_u32", 4, add),
	[33] = LDS_ATOMIC_RTN("ds_sub_rtn_u32", 4, sub),
	[34] = LDS_ATOMIC_RTN("ds_rsub_rtn_u32", 4, rsub),
	[35] = LDS_ATOMIC_RTN("ds_inc_rtn_u32", 4, inc),
	[36] = LDS_ATOMIC_RTN("ds_dec_rtn_u32", 4, dec),
	[37] = LDS_ATOMIC_RTN("ds_min_rtn_i32", 4, smin32),
	[38] = LDS_ATOMIC_RTN("ds_max_rtn_i32", 4, smax32),
	[39] = LDS_ATOMIC_RTN("ds_min_rtn_u32", 4, umin),
	[40] = LDS_ATOMIC_RTN("ds_max_rtn_u32", 4, umax),
	[41] = LDS_ATOMIC_RTN("ds_and_rtn_b32", 4, and),
	[42] = LDS_ATOMIC_RTN("ds_or_rtn_b32", 4, or),
	[43] = LDS_ATOMIC_RTN("ds_xor_rtn_b32", 4, xor),
	[44] = LDS_ATOMIC_RTN("ds_mskor_rtn_b32", 4, mskor, .two = true),
	[45] = LDS_ATOMIC_RTN("ds_wrxchg_rtn_b32", 4, swap),
	[46] = PAIR("ds_wrxchg2_rtn_b32", WRXCHG2, 4, 4),
	[47] = PAIR("ds_wrxchg2st64_rtn_b32", WRXCHG2, 4, 64),
	[48] = LDS_ATOMIC_RTN("ds_cmpst_rtn_b32", 4, cmpst, .two = true),
	[52] = LDS_ATOMIC_RTN("ds_wrap_rtn_b32", 4, wrap, .two = true),
	[54] = READ("ds_read_b32", 4),
	[55] = PAIR("ds_read2_b32", READ2, 4, 4),
	[56] = PAIR("ds_read2st64_b32", READ2, 4, 64),
	[57] = READ("ds_read_i8", 1, .sign = true),
	[58] = READ("ds_read_u8", 1),
	[59] = READ("ds_read_i16", 2, .sign = true),
	[60] = READ("ds_read_u16", 2),
	[61] = EXCHANGE("ds_swizzle_b32", SWIZZLE),
	[62] = EXCHANGE("ds_permute_b32", PERMUTE),
	[63] = EXCHANGE("ds_bpermute_b32", BPERMUTE),
	[64] = LDS_ATOMIC("ds_add_u64", 8, add),
	[65] = LDS_ATOMIC("ds_sub_u64", 8, sub),
	[66] = LDS_ATOMIC("ds_rsub_u64", 8, rsub),
	[67] = LDS_ATOMIC("ds_inc_u64", 8, inc),
	[68] = LDS_ATOMIC("ds_dec_u64", 8, dec),
	[69] = LDS_ATOMIC("ds_min_i64", 8, smin64),
	[70] = LDS_ATOMIC("ds_max_i64", 8, smax64),
	[71] = LDS_ATOMIC("ds_min_u64", 8, umin),
	[72] = LDS_ATOMIC("ds_max_u64", 8, umax),
	[73] = LDS_ATOMIC("ds_and_b64", 8, and),
	[74] = LDS_ATOMIC("ds_or_b64", 8, or),
	[75] = LDS_ATOMIC("ds_xor_b64", 8, xor),
	[76] = LDS_ATOMIC("ds_mskor_b64", 8, mskor, .two = true),
	[77] = WRITE("ds_write_b64", 8),
	[78] = PAIR("ds_write2_b64", WRITE2, 8, 8),
	[79] = PAIR("ds_write2st64_b64", WRITE2, 8, 128),
	[80] = LDS_ATOMIC("ds_cmpst_b64", 8, cmpst, .two = true),
	[84] = PART("ds_write_b8_d16_hi", WRITE, 1, .part = PART_HIGH),
	[85] = PART("ds_write_b16_d16_hi", WRITE, 2, .part = PART_HIGH),
	[86] = PART("ds_read_u8_d16", READ, 1, .part = PART_LOW),
	[87] = PART("ds_read_u8_d16_hi", READ, 1, .part = PART_HIGH),
	[88] = PART("ds_read_i8_d16", READ, 1, .part = PART_LOW, .sign = true),
	[89] = PART("ds_read_i8_d16_hi", READ, 1, .part = PART_HIGH, .sign = true),
	[90] = PART("ds_read_u16_d16", READ, 2, .part = PART_LOW),
	[91] = PART("ds_read_u16_d16_hi", READ, 2, .part = PART_HIGH),
	[96] = LDS_ATOMIC_RTN("ds_add_rtn_u64", 8, add),
	[97] = LDS_ATOMIC_RTN("ds_sub_rtn_u64", 8, sub),
	[98] = LDS_ATOMIC_RTN("ds_rsub_rtn_u64", 8, rsub),
	[99] = LDS_ATOMIC_RTN("ds_inc_rtn_u64", 8, inc),
	[100] = LDS_ATOMIC_RTN("ds_dec_rtn_u64", 8, dec),
	[101] = LDS_ATOMIC_RTN("ds_min_rtn_i64", 8, smin64),
	[102] = LDS_ATOMIC_RTN("ds_max_rtn_i64", 8, smax64),
	[103] = LDS_ATOMIC_RTN("ds_min_rtn_u64", 8, umin),
	[104] = LDS_ATOMIC_RTN("ds_max_rtn_u64", 8, umax),
	[105] = LDS_ATOMIC_RTN("ds_and_rtn_b64", 8, and),
	[106] = LDS_ATOMIC_RTN("ds_or_rtn_b64", 8, or),
	[107] = LDS_ATOMIC_RTN("ds_xor_rtn_b64", 8, xor),
	[108] = LDS_ATOMIC_RTN("ds_mskor_rtn_b64", 8, mskor, .two = true),
	[109] = LDS_ATOMIC_RTN("ds_wrxchg_rtn_b64", 8, swap),
	[110] = PAIR("ds_wrxchg2_rtn_b64", WRXCHG2, 8, 8),
	[111] = PAIR("ds_wrxchg2st64_rtn_b64", WRXCHG2, 8, 128),
	[112] = LDS_ATOMIC_RTN("ds_cmpst_rtn_b64", 8, cmpst, .two = true),
	[118] = READ("ds_read_b64", 8),
	[119] = PAIR("ds_read2_b64", READ2, 8, 8),
	[120] = PAIR("ds_read2st64_b64", READ2, 8, 128),
	[222] = WRITE("ds_write_b96", 12),
	[223] = WRITE("ds_write_b128", 16),
	[254] = READ("ds_read_b96", 12),
	[255] = READ("ds_read_b128", 16),
};

/* The vector registers of an instruction */
struct regs {
	unsigned int addr, data, data2, dst;
	unsigned int nr_addr, nr_data, nr_data2, nr_dst;
};

static struct regs regs_of(const struct insn *i)
{
	const struct ds_op *op = i->op;
	unsigned int nr = op->size > 4 ? op->size / 4U : 1;
	struct regs r = {
		.addr = i->word[1] & 255,
		.data = i->word[1] >> 8 & 255,
		.data2 = i->word[1] >> 16 & 255,
		.dst = i->word[1] >> 24,
		.nr_addr = 1,
	};

	switch (op->kind) {
	case KIND_READ:
		r.nr_dst = nr;
		break;
	case KIND_READ2:
		r.nr_dst = 2 * nr;
		break;
	case KIND_WRITE2:
		r.nr_data2 = nr;
		r.nr_data = nr;
		break;
	case KIND_WRXCHG2:
		r.nr_dst = 2 * nr;
		r.nr_data2 = nr;
		r.nr_data = nr;
		break;
	case KIND_ATOMIC_RTN:
		r.nr_dst = nr;
		r.nr_data = nr;
		r.nr_data2 = op->two ? nr : 0;
		break;
	case KIND_ATOMIC:
		r.nr_data2 = op->two ? nr : 0;
		r.nr_data = nr;
		break;
	case KIND_WRITE:
		r.nr_data = nr;
		break;
	case KIND_SWIZZLE:
		r.nr_dst = 1;
		break;
	case KIND_PERMUTE:
	case KIND_BPERMUTE:
		r.nr_data = 1;
		r.nr_dst = 1;
		break;
	case KIND_NONE:
		break;
	}
	return r;
}

static unsigned int offset16(const struct insn *i)
{
	return i->word[0] & 0xffff;
}

/* Offsets of the two places of READ2 and WRITE2 */
static u32 place(const struct insn *i, unsigned int which)
{
	const struct ds_op *op = i->op;
	u32 stride = op->stride == 64 ? 256 : op->stride == 128 ? 512 : op->stride;

	return stride * (i->word[0] >> 8 * which & 255);
}

/*
 * gfx8 wants M0 to hold the size of the local memory that may be used, and
 * addresses aligned; gfx9 wants neither, but for atomics.
 */
static int check_address(struct wave *w, const struct insn *i, u32 addr, u32 size)
{
	const struct ds_op *op = i->op;
	u32 align = size == 12 ? 16 : size;

	if (op->kind < KIND_ATOMIC && i->gen == GFX9)
		align = 1;
	if (addr % align)
		return wave_fault(w, i, FAULT_UNALIGNED, "%u bytes of local memory at %#x",
				  size, addr);
	if (i->gen == GFX8 && (addr >= w->s[M0] || w->s[M0] - addr < size))
		return wave_fault(w, i, FAULT_LDS, "local memory at %#x is beyond M0, %#x",
				  addr, w->s[M0]);
	return 0;
}

static u32 extend(u32 x, const struct ds_op *op)
{
	if (op->size == 1)
		return op->sign ? (u32)(s8)x : x;
	return op->sign ? (u32)(s16)x : x;
}

/* Into the half of a register that a load is for */
static u32 put_part(u32 old, u32 x, enum part part)
{
	if (part == PART_LOW)
		return (old & 0xffff0000) | (x & 0xffff);
	return part == PART_HIGH ? (old & 0xffff) | x << 16 : x;
}

/* One place into registers; returns whether there was a value, or STOP_FAULT */
static int read_place(struct wave *w, const struct insn *i, unsigned int lane, u32 addr,
		      unsigned int dst, bool *def)
{
	const struct ds_op *op = i->op;
	struct access a = { .size = op->size };
	u8 *p;

	if (check_address(w, i, addr, op->size))
		return STOP_FAULT;
	p = lds_access(w, i, &a, addr, def);
	if (!p)
		return STOP_FAULT;
	if (op->size < 4)
		w->v[dst][lane] = put_part(w->v[dst][lane],
					   extend(op->size == 1 ? *p : load16(p), op), op->part);
	else
		for (unsigned int k = 0; k < op->size / 4U; k++)
			w->v[dst + k][lane] = load32(p + 4 * k);
	return 0;
}

static int write_place(struct wave *w, const struct insn *i, unsigned int lane, u32 addr,
		       unsigned int src)
{
	const struct ds_op *op = i->op;
	struct access a = { .size = op->size, .write = true };
	u32 x = w->v[src][lane];
	u8 *p;

	if (check_address(w, i, addr, op->size))
		return STOP_FAULT;
	p = lds_access(w, i, &a, addr, NULL);
	if (!p)
		return STOP_FAULT;
	if (op->part == PART_HIGH)
		x >>= 16;
	if (op->size == 1)
		*p = (u8)x;
	else if (op->size == 2)
		store16(p, (u16)x);
	else
		for (unsigned int k = 0; k < op->size / 4U; k++)
			store32(p + 4 * k, w->v[src + k][lane]);
	return 0;
}

static u64 operand(const struct wave *w, unsigned int reg, unsigned int lane, unsigned int size)
{
	return w->v[reg][lane] | (size == 8 ? (u64)w->v[reg + 1][lane] << 32 : 0);
}

/* Changes one place, and gives what was there */
static int change_place(struct wave *w, const struct insn *i, unsigned int lane, u32 addr,
			atomic_fn *fn, u64 data, u64 data2, u64 *old)
{
	const struct ds_op *op = i->op;
	struct access a = { .size = op->size, .write = true, .atomic = true };
	bool def;
	u8 *p;

	if (check_address(w, i, addr, op->size))
		return STOP_FAULT;
	p = lds_access(w, i, &a, addr, &def);
	if (!p)
		return STOP_FAULT;
	if (!def && fn != atomic_swap)
		return wave_fault(w, i, FAULT_UNDEFINED,
				  "lane %u changes local memory at %#x, which was never written",
				  lane, addr);
	*old = atomic_do(p, op->size, fn, data, data2);
	return 0;
}

static int check_registers(struct wave *w, const struct insn *i, const struct regs *r)
{
	u64 exec = wave_exec(w);

	if (i->gen == GFX8 && !wave_sdef(w, M0))
		return wave_undefined(w, i, M0, 0);
	if (check_vregs(w, i, r->addr, r->nr_addr, exec) ||
	    check_vregs(w, i, r->data, r->nr_data, exec) ||
	    check_vregs(w, i, r->data2, r->nr_data2, exec))
		return STOP_FAULT;
	return 0;
}

/* A load's result, which is there once it was waited for */
static void arrives_later(struct wave *w, unsigned int reg, unsigned int nr, u64 lanes, u64 def)
{
	for (unsigned int k = reg; k < reg + nr; k++)
		w->vdef[k] &= ~lanes;
	wave_pending(w, &w->lgkm, (struct pending) {
		.reg = (u16)reg, .nr = (u8)nr, .lanes = lanes & def, .lds = true });
}

static int run_read(struct wave *w, const struct insn *i)
{
	const struct ds_op *op = i->op;
	struct regs r = regs_of(i);
	u64 exec = wave_exec(w), def[2] = { 0, 0 }, old;
	unsigned int half = r.nr_dst / 2;
	bool d;

	if (check_registers(w, i, &r))
		return STOP_FAULT;
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		u32 addr = w->v[r.addr][l];

		if (op->kind == KIND_READ) {
			if (read_place(w, i, l, addr + offset16(i), r.dst, &d))
				return STOP_FAULT;
			def[0] |= (u64)d << l;
			continue;
		}
		if (read_place(w, i, l, addr + place(i, 0), r.dst, &d))
			return STOP_FAULT;
		def[0] |= (u64)d << l;
		if (read_place(w, i, l, addr + place(i, 1), r.dst + half, &d))
			return STOP_FAULT;
		def[1] |= (u64)d << l;
	}
	if (op->kind == KIND_READ2) {
		arrives_later(w, r.dst, half, exec, def[0]);
		arrives_later(w, r.dst + half, half, exec, def[1]);
		return 0;
	}
	old = w->vdef[r.dst];
	arrives_later(w, r.dst, r.nr_dst, exec, op->part ? def[0] & old : def[0]);
	return 0;
}

static int run_write(struct wave *w, const struct insn *i)
{
	const struct ds_op *op = i->op;
	struct regs r = regs_of(i);
	u64 addrs[LANES];

	if (check_registers(w, i, &r))
		return STOP_FAULT;
	for (u64 left = wave_exec(w); left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		u32 addr = w->v[r.addr][l] + (op->kind == KIND_WRITE ? offset16(i) : place(i, 0));

		addrs[l] = addr;
		if (write_place(w, i, l, addr, r.data))
			return STOP_FAULT;
		if (op->kind == KIND_WRITE2 &&
		    write_place(w, i, l, w->v[r.addr][l] + place(i, 1), r.data2))
			return STOP_FAULT;
	}
	wave_pending(w, &w->lgkm, (struct pending) { .lds = true });
	if (op->part)
		return 0;
	return lanes_overlap(w, i, wave_exec(w), addrs, &w->v[r.data], op->size);
}

static int run_atomic(struct wave *w, const struct insn *i)
{
	const struct ds_op *op = i->op;
	struct regs r = regs_of(i);
	u64 exec = wave_exec(w), old;

	if (check_registers(w, i, &r))
		return STOP_FAULT;
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		u64 data = operand(w, r.data, l, op->size);
		u64 data2 = op->two ? operand(w, r.data2, l, op->size) : 0;

		if (change_place(w, i, l, w->v[r.addr][l] + offset16(i), op->fn, data, data2,
				 &old))
			return STOP_FAULT;
		if (r.nr_dst)
			w->v[r.dst][l] = (u32)old;
		if (r.nr_dst == 2)
			w->v[r.dst + 1][l] = (u32)(old >> 32);
	}
	arrives_later(w, r.dst, r.nr_dst, exec, ~0ULL);
	return 0;
}

static int run_wrxchg2(struct wave *w, const struct insn *i)
{
	const struct ds_op *op = i->op;
	struct regs r = regs_of(i);
	unsigned int nr = op->size / 4U;
	u64 exec = wave_exec(w), old[2];

	if (check_registers(w, i, &r))
		return STOP_FAULT;
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		u32 addr = w->v[r.addr][l];

		if (change_place(w, i, l, addr + place(i, 0), atomic_swap,
				 operand(w, r.data, l, op->size), 0, &old[0]) ||
		    change_place(w, i, l, addr + place(i, 1), atomic_swap,
				 operand(w, r.data2, l, op->size), 0, &old[1]))
			return STOP_FAULT;
		for (unsigned int k = 0; k < 2 * nr; k++)
			w->v[r.dst + k][l] = (u32)(old[k / nr] >> 32 * (k % nr));
	}
	arrives_later(w, r.dst, r.nr_dst, exec, ~0ULL);
	return 0;
}

/* Which lane ds_swizzle_b32 gives lane l; gfx9 has modes that nobody uses. */
static unsigned int swizzle_source(unsigned int offset, unsigned int l)
{
	if (offset & 0x8000)	/* quads */
		return (l & ~3U) + (offset >> 2 * (l & 3) & 3);
	/* Within 32 lanes: and, or, xor */
	return (l & 32) | ((((l & 31) & (offset & 31)) | (offset >> 5 & 31)) ^
			   (offset >> 10 & 31));
}

static int run_swizzle(struct wave *w, const struct insn *i)
{
	struct regs r = regs_of(i);
	u64 exec = wave_exec(w), def = 0;

	for (unsigned int l = 0; l < LANES; l++) {
		unsigned int from = swizzle_source(offset16(i), l);

		/* An inactive lane gives zero. */
		w->tmp[0][l] = exec >> from & 1 ? w->v[r.addr][from] : 0;
		def |= (~exec >> from | w->vdef[r.addr] >> from) << l & 1ULL << l;
	}
	for (u64 left = exec; left; left &= left - 1)
		w->v[r.dst][__builtin_ctzll(left)] = w->tmp[0][__builtin_ctzll(left)];
	arrives_later(w, r.dst, 1, exec, def);
	return 0;
}

/* Each lane says where its value goes (permute) or comes from (bpermute). */
static int run_permute(struct wave *w, const struct insn *i)
{
	const struct ds_op *op = i->op;
	struct regs r = regs_of(i);
	u64 exec = wave_exec(w), def = exec;
	bool back = op->kind == KIND_BPERMUTE;

	if (check_vregs(w, i, r.addr, 1, exec))
		return STOP_FAULT;
	for (unsigned int l = 0; l < LANES; l++)
		w->tmp[0][l] = 0;
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		unsigned int other = (w->v[r.addr][l] + offset16(i)) / 4 % LANES;
		unsigned int from = back ? other : l, to = back ? l : other;

		/* Inactive lanes give zero. */
		if (!(exec >> from & 1))
			continue;
		w->tmp[0][to] = w->v[r.data][from];
		if (!(w->vdef[r.data] >> from & 1))
			def &= ~(1ULL << to);
	}
	for (u64 left = exec; left; left &= left - 1)
		w->v[r.dst][__builtin_ctzll(left)] = w->tmp[0][__builtin_ctzll(left)];
	arrives_later(w, r.dst, 1, exec, def);
	return 0;
}

static void print_swizzle(const struct insn *i, char *buf, size_t size)
{
	unsigned int k = offset16(i);

	if (k)
		append(buf, size, " offset:%u", k);
}

static void print_ds(const struct insn *i, char *buf, size_t size)
{
	const struct ds_op *op = i->op;
	const struct regs r = regs_of(i);
	const struct { unsigned int reg, nr; } list[] = {
		{ r.dst, r.nr_dst }, { r.addr, r.nr_addr }, { r.data, r.nr_data },
		{ r.data2, r.nr_data2 }
	};
	static const enum width widths[] = { W0, W32, W64, W96, W128 };
	const char *comma = " ";
	u32 k = i->word[0];

	append(buf, size, "%s", op->name);
	for (unsigned int j = 0; j < ARRAY_SIZE(list); j++) {
		if (!list[j].nr)
			continue;
		append(buf, size, "%s", comma);
		operand_print(buf, size, VGPR + list[j].reg, widths[list[j].nr], 0);
		comma = ", ";
	}
	if (op->kind == KIND_SWIZZLE) {
		print_swizzle(i, buf, size);
	} else if (op->stride) {
		if (k & 255)
			append(buf, size, " offset0:%u", k & 255);
		if (k >> 8 & 255)
			append(buf, size, " offset1:%u", k >> 8 & 255);
	} else if (k & 0xffff) {
		append(buf, size, " offset:%u", k & 0xffff);
	}
}

bool decode_ds(struct program *p, struct insn *i)
{
	static insn_fn * const run[] = {
		[KIND_READ] = run_read,
		[KIND_READ2] = run_read,
		[KIND_WRITE] = run_write,
		[KIND_WRITE2] = run_write,
		[KIND_ATOMIC] = run_atomic,
		[KIND_ATOMIC_RTN] = run_atomic,
		[KIND_WRXCHG2] = run_wrxchg2,
		[KIND_SWIZZLE] = run_swizzle,
		[KIND_PERMUTE] = run_permute,
		[KIND_BPERMUTE] = run_permute,
	};
	const struct ds_op *op = &ops[i->word[0] >> 17 & 255];
	struct regs r;

	i->words = 2;
	i->class = CLASS_LDS;
	/* No global data share */
	if (!(op->gens & p->gen) || i->word[0] >> 16 & 1)
		return false;
	i->op = op;
	i->run = run[op->kind];
	i->print = print_ds;
	r = regs_of(i);
	/* In the rotating and FFT modes of gfx9's swizzle the upper bits are set. */
	if (op->kind == KIND_SWIZZLE && i->word[0] & 0x8000 && i->word[0] & 0x7f00)
		return false;
	if ((!r.nr_data && r.data) || (!r.nr_data2 && r.data2) || (!r.nr_dst && r.dst))
		return false;
	if (r.data + r.nr_data > 256 || r.data2 + r.nr_data2 > 256 || r.dst + r.nr_dst > 256)
		return false;
	i->vregs = (u16)(r.addr + 1);
	if (r.nr_data && r.data + r.nr_data > i->vregs)
		i->vregs = (u16)(r.data + r.nr_data);
	if (r.nr_data2 && r.data2 + r.nr_data2 > i->vregs)
		i->vregs = (u16)(r.data2 + r.nr_data2);
	if (r.nr_dst && r.dst + r.nr_dst > i->vregs)
		i->vregs = (u16)(r.dst + r.nr_dst);
	return true;
}
