// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Vector memory: FLAT, and GLOBAL that gfx9 has in the same encoding; of the
 * buffer instructions those that are about the cache
 */
#include "access.h"
#include "atomic.h"
#include "encodings.h"
#include "operand.h"

enum kind {
	KIND_NONE,
	KIND_LOAD,
	KIND_STORE,
	KIND_ATOMIC,
};

enum part {
	PART_LOW = 1,
	PART_HIGH,
};

enum { SEG_FLAT, SEG_SCRATCH, SEG_GLOBAL };
enum { NO_SADDR = 127 };

struct flat_op {
	const char *name;
	enum kind kind;
	u8 size;
	bool sign;
	enum part part;
	enum gcn_gen gens;
	atomic_fn *fn;
};

#define OP(str, sort, bytes, ...) \
	{ .name = str, .kind = KIND_ ## sort, .size = bytes, .gens = GFX8_9, __VA_ARGS__ }
#define PART(str, sort, bytes, half, ...) \
	{ .name = str, .kind = KIND_ ## sort, .size = bytes, .gens = GFX9, .part = half, \
	  __VA_ARGS__ }
#define RMW(str, bytes, f) \
	{ .name = str, .kind = KIND_ATOMIC, .size = bytes, .gens = GFX8_9, .fn = atomic_ ## f }

static const struct flat_op ops[] = {
	[16] = OP("load_ubyte", LOAD, 1),
	[17] = OP("load_sbyte", LOAD, 1, .sign = true),
	[18] = OP("load_ushort", LOAD, 2),
	[19] = OP("load_sshort", LOAD, 2, .sign = true),
	[20] = OP("load_dword", LOAD, 4),
	[21] = OP("load_dwordx2", LOAD, 8),
	[22] = OP("load_dwordx3", LOAD, 12),
	[23] = OP("load_dwordx4", LOAD, 16),
	[24] = OP("store_byte", STORE, 1),
	[25] = PART("store_byte_d16_hi", STORE, 1, PART_HIGH),
	[26] = OP("store_short", STORE, 2),
	[27] = PART("store_short_d16_hi", STORE, 2, PART_HIGH),
	[28] = OP("store_dword", STORE, 4),
	[29] = OP("store_dwordx2", STORE, 8),
	[30] = OP("store_dwordx3", STORE, 12),
	[31] = OP("store_dwordx4", STORE, 16),
	[32] = PART("load_ubyte_d16", LOAD, 1, PART_LOW),
	[33] = PART("load_ubyte_d16_hi", LOAD, 1, PART_HIGH),
	[34] = PART("load_sbyte_d16", LOAD, 1, PART_LOW, .sign = true),
	[35] = PART("load_sbyte_d16_hi", LOAD, 1, PART_HIGH, .sign = true),
	[36] = PART("load_short_d16", LOAD, 2, PART_LOW),
	[37] = PART("load_short_d16_hi", LOAD, 2, PART_HIGH),
	[64] = RMW("atomic_swap", 4, swap),
	[65] = RMW("atomic_cmpswap", 4, cmpswap),
	[66] = RMW("atomic_add", 4, add),
	[67] = RMW("atomic_sub", 4, sub),
	[68] = RMW("atomic_smin", 4, smin32),
	[69] = RMW("atomic_umin", 4, umin),
	[70] = RMW("atomic_smax", 4, smax32),
	[71] = RMW("atomic_umax", 4, umax),
	[72] = RMW("atomic_and", 4, and),
	[73] = RMW("atomic_or", 4, or),
	[74] = RMW("atomic_xor", 4, xor),
	[75] = RMW("atomic_inc", 4, inc),
	[76] = RMW("atomic_dec", 4, dec),
	[96] = RMW("atomic_swap_x2", 8, swap),
	[97] = RMW("atomic_cmpswap_x2", 8, cmpswap),
	[98] = RMW("atomic_add_x2", 8, add),
	[99] = RMW("atomic_sub_x2", 8, sub),
	[100] = RMW("atomic_smin_x2", 8, smin64),
	[101] = RMW("atomic_umin_x2", 8, umin),
	[102] = RMW("atomic_smax_x2", 8, smax64),
	[103] = RMW("atomic_umax_x2", 8, umax),
	[104] = RMW("atomic_and_x2", 8, and),
	[105] = RMW("atomic_or_x2", 8, or),
	[106] = RMW("atomic_xor_x2", 8, xor),
	[107] = RMW("atomic_inc_x2", 8, inc),
	[108] = RMW("atomic_dec_x2", 8, dec),
};

static bool glc(const struct insn *i)
{
	return i->word[0] >> 16 & 1;
}

static unsigned int segment(const struct insn *i)
{
	return i->word[0] >> 14 & 3;
}

static bool has_saddr(const struct insn *i)
{
	return segment(i) == SEG_GLOBAL && i->src[2] != NO_SADDR;
}

static unsigned int reg_dwords(const struct insn *i)
{
	const struct flat_op *op = i->op;

	return op->size > 4 ? op->size / 4U : 1;
}

static unsigned int data_dwords(const struct insn *i)
{
	const struct flat_op *op = i->op;

	if (op->kind == KIND_LOAD)
		return 0;
	return op->fn == atomic_cmpswap ? 2 * reg_dwords(i) : reg_dwords(i);
}

static unsigned int dst_dwords(const struct insn *i)
{
	const struct flat_op *op = i->op;

	return op->kind == KIND_LOAD || (op->kind == KIND_ATOMIC && glc(i)) ? reg_dwords(i) : 0;
}

/* The address of each active lane */
static int addresses(struct wave *w, const struct insn *i, u64 exec, u64 *addr)
{
	unsigned int v = i->src[0];
	u64 base = (u64)(s64)i->imm;

	if (has_saddr(i)) {
		if (!wave_sdef(w, i->src[2]) || !wave_sdef(w, i->src[2] + 1))
			return wave_undefined(w, i, i->src[2], 0);
		base += wave_s64(w, i->src[2]);
		if (check_vregs(w, i, v, 1, exec))
			return STOP_FAULT;
	} else if (check_vregs(w, i, v, 2, exec)) {
		return STOP_FAULT;
	}
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);

		addr[l] = base + w->v[v][l];
		if (!has_saddr(i))
			addr[l] += (u64)w->v[v + 1][l] << 32;
	}
	return 0;
}

/* Memory of one lane: a flat address may mean local memory. */
static u8 *place(struct wave *w, const struct insn *i, const struct access *a, u64 addr,
		 bool *local, bool *def)
{
	const struct launch *l = w->group->launch;

	*def = true;
	*local = segment(i) == SEG_FLAT && addr >> 32 == l->aperture;
	if (*local)
		return lds_access(w, i, a, (u32)addr, a->write && !a->atomic ? NULL : def);
	if (segment(i) == SEG_FLAT && addr >> 32 == l->aperture + 1) {
		wave_fault(w, i, FAULT_MEMORY, "private memory, which kernels here do without");
		return NULL;
	}
	return mem_access(w, i, a, addr);
}

/* What was loaded is there after a wait, for local memory on another counter. */
static void arrives_later(struct wave *w, const struct insn *i, u64 exec, u64 local, u64 def)
{
	unsigned int reg = i->dst, nr = dst_dwords(i);

	for (unsigned int k = reg; k < reg + nr; k++)
		w->vdef[k] &= ~exec;
	wave_pending(w, &w->vm, (struct pending) {
		.reg = (u16)reg, .nr = (u8)nr, .lanes = exec & ~local & def });
	if (local)
		wave_pending(w, &w->lgkm, (struct pending) {
			.reg = (u16)reg, .nr = (u8)nr, .lanes = local & def, .lds = true });
}

static u32 extend(u32 x, const struct flat_op *op)
{
	if (op->size == 1)
		return op->sign ? (u32)(s8)x : x;
	return op->sign ? (u32)(s16)x : x;
}

static u32 put_part(u32 old, u32 x, enum part part)
{
	if (part == PART_LOW)
		return (old & 0xffff0000) | (x & 0xffff);
	return part == PART_HIGH ? (old & 0xffff) | x << 16 : x;
}

static void load_lane(struct wave *w, const struct insn *i, unsigned int l, const u8 *p)
{
	const struct flat_op *op = i->op;
	u32 *dst = &w->v[i->dst][l];

	if (op->size < 4)
		*dst = put_part(*dst, extend(op->size == 1 ? __atomic_load_n(p, __ATOMIC_ACQUIRE) :
					     load16(p), op), op->part);
	else
		for (unsigned int k = 0; k < op->size / 4U; k++)
			w->v[i->dst + k][l] = load32(p + 4 * k);
}

static int run_load(struct wave *w, const struct insn *i)
{
	const struct flat_op *op = i->op;
	struct access a = { .size = op->size, .atomic = glc(i) };
	u64 exec = wave_exec(w), addr[LANES], locals = 0, defs = 0;
	bool local, def;

	if (addresses(w, i, exec, addr))
		return STOP_FAULT;
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		u8 *p = place(w, i, &a, addr[l], &local, &def);

		if (!p)
			return STOP_FAULT;
		locals |= (u64)local << l;
		defs |= (u64)def << l;
		load_lane(w, i, l, p);
	}
	arrives_later(w, i, exec, locals, op->part ? defs & w->vdef[i->dst] : defs);
	return 0;
}

static void store_lane(struct wave *w, const struct insn *i, unsigned int l, u8 *p)
{
	const struct flat_op *op = i->op;
	u32 x = w->v[i->src[1]][l];

	if (op->part == PART_HIGH)
		x >>= 16;
	if (op->size == 1)
		__atomic_store_n(p, (u8)x, __ATOMIC_RELEASE);
	else if (op->size == 2)
		store16(p, (u16)x);
	else
		for (unsigned int k = 0; k < op->size / 4U; k++)
			store32(p + 4 * k, w->v[i->src[1] + k][l]);
}

static int run_store(struct wave *w, const struct insn *i)
{
	const struct flat_op *op = i->op;
	struct access a = { .size = op->size, .write = true };
	u64 exec = wave_exec(w), addr[LANES], locals = 0;
	bool local, def;

	if (addresses(w, i, exec, addr) || check_vregs(w, i, i->src[1], data_dwords(i), exec))
		return STOP_FAULT;
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		u8 *p = place(w, i, &a, addr[l], &local, &def);

		if (!p)
			return STOP_FAULT;
		locals |= (u64)local << l;
		store_lane(w, i, l, p);
	}
	arrives_later(w, i, exec, locals, 0);
	if (op->part)
		return 0;
	return lanes_overlap(w, i, exec, addr, &w->v[i->src[1]], op->size);
}

static u64 operand(const struct wave *w, unsigned int reg, unsigned int lane, unsigned int size)
{
	return w->v[reg][lane] | (size == 8 ? (u64)w->v[reg + 1][lane] << 32 : 0);
}

static int run_atomic(struct wave *w, const struct insn *i)
{
	const struct flat_op *op = i->op;
	struct access a = { .size = op->size, .write = true, .atomic = true };
	unsigned int second = i->src[1] + reg_dwords(i);
	u64 exec = wave_exec(w), addr[LANES], locals = 0;
	bool local, def;

	if (addresses(w, i, exec, addr) || check_vregs(w, i, i->src[1], data_dwords(i), exec))
		return STOP_FAULT;
	for (u64 left = exec; left; left &= left - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(left);
		u64 data2 = op->fn == atomic_cmpswap ? operand(w, second, l, op->size) : 0;
		u64 old;
		u8 *p;

		if (addr[l] % op->size)
			return wave_fault(w, i, FAULT_UNALIGNED, "atomic on %u bytes at %#lx",
					  op->size, addr[l]);
		p = place(w, i, &a, addr[l], &local, &def);
		if (!p)
			return STOP_FAULT;
		locals |= (u64)local << l;
		old = atomic_do(p, op->size, op->fn, operand(w, i->src[1], l, op->size), data2);
		if (glc(i))
			w->v[i->dst][l] = (u32)old;
		if (glc(i) && op->size == 8)
			w->v[i->dst + 1][l] = (u32)(old >> 32);
	}
	arrives_later(w, i, exec, locals, ~0ULL);
	return 0;
}

static void print_flat(const struct insn *i, char *buf, size_t size)
{
	static const enum width widths[] = { W0, W32, W64, W96, W128 };
	const struct flat_op *op = i->op;
	const char *comma = " ";

	append(buf, size, "%s_%s", segment(i) == SEG_GLOBAL ? "global" : "flat", op->name);
	if (dst_dwords(i)) {
		append(buf, size, "%s", comma);
		operand_print(buf, size, VGPR + i->dst, widths[dst_dwords(i)], 0);
		comma = ", ";
	}
	append(buf, size, "%s", comma);
	operand_print(buf, size, VGPR + i->src[0], has_saddr(i) ? W32 : W64, 0);
	if (data_dwords(i)) {
		append(buf, size, ", ");
		operand_print(buf, size, VGPR + i->src[1], widths[data_dwords(i)], 0);
	}
	if (has_saddr(i)) {
		append(buf, size, ", ");
		operand_print(buf, size, i->src[2], W64, 0);
	} else if (segment(i) == SEG_GLOBAL) {
		append(buf, size, ", off");
	}
	if (i->imm)
		append(buf, size, " offset:%d", i->imm);
	append(buf, size, "%s%s", glc(i) ? " glc" : "", i->word[0] >> 17 & 1 ? " slc" : "");
}

static void need_vregs(struct insn *i, unsigned int reg, unsigned int nr)
{
	if (nr && reg + nr > i->vregs)
		i->vregs = (u16)(reg + nr);
}

bool decode_flat(struct program *p, struct insn *i)
{
	static insn_fn * const run[] = {
		[KIND_LOAD] = run_load,
		[KIND_STORE] = run_store,
		[KIND_ATOMIC] = run_atomic,
	};
	unsigned int code = i->word[0] >> 18 & 127, seg = segment(i);
	const struct flat_op *op = &ops[code < ARRAY_SIZE(ops) ? code : 0];

	i->words = 2;
	i->class = CLASS_VMEM;
	i->print = print_flat;
	if (!(op->gens & p->gen) || seg == SEG_SCRATCH || seg > SEG_GLOBAL)
		return false;
	i->op = op;
	i->run = run[op->kind];
	i->src[0] = i->word[1] & 255;
	i->src[1] = i->word[1] >> 8 & 255;
	i->src[2] = i->word[1] >> 16 & 127;
	i->dst = (u16)(i->word[1] >> 24);
	/* tfe, lds and nv bits: partially resident textures and the like */
	if (i->word[1] & 1 << 23 || i->word[0] & 1 << 13)
		return false;
	if (p->gen == GFX8) {
		if (i->word[0] & 0xffff || i->src[2])
			return false;
	} else if (seg == SEG_GLOBAL) {
		i->imm = (s32)(i->word[0] << 19) >> 19;
	} else {
		i->imm = i->word[0] & 0xfff;
		if (i->word[0] & 0x1000 || i->src[2])
			return false;
	}
	/* Bit 12 is the sign, and bit 13 the one that was refused above. */
	if (has_saddr(i) && !operand_ok_sdst(i->src[2], W64))
		return false;
	if ((!data_dwords(i) && i->src[1]) || (!dst_dwords(i) && i->dst))
		return false;
	if (i->src[0] + 2 > 256 + has_saddr(i) || i->src[1] + data_dwords(i) > 256 ||
	    i->dst + dst_dwords(i) > 256)
		return false;
	need_vregs(i, i->src[0], has_saddr(i) ? 1 : 2);
	need_vregs(i, i->src[1], data_dwords(i));
	need_vregs(i, i->dst, dst_dwords(i));
	if (has_saddr(i) && i->src[2] < VCC_LO)
		i->sregs = i->src[2] + 2;
	return true;
}

enum { BUFFER_WBINVL1 = 62, BUFFER_WBINVL1_VOL = 63 };

/* What others did is seen from now on: all of it was before this. */
static int run_wbinvl1(struct wave *w, const struct insn *i)
{
	(void)i;
	w->unit.seen = race_tick();
	return 0;
}

static void print_wbinvl1(const struct insn *i, char *buf, size_t size)
{
	append(buf, size, i->enc == BUFFER_WBINVL1 ? "buffer_wbinvl1" : "buffer_wbinvl1_vol");
}

bool decode_mubuf(struct program *p, struct insn *i)
{
	(void)p;
	i->words = 2;
	i->class = CLASS_VMEM;
	i->enc = i->word[0] >> 18 & 127;
	i->run = run_wbinvl1;
	i->print = print_wbinvl1;
	return (i->enc == BUFFER_WBINVL1 || i->enc == BUFFER_WBINVL1_VOL) &&
	       !(i->word[0] & 0x3ffff) && !i->word[1];
}
