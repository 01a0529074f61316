// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Arithmetic: what random instructions are made of, and the oracle applied
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ops.h"

typedef __int128 s128;
typedef unsigned __int128 u128;

#define M32 0xffffffffULL
#define M64 (~0ULL)

static u64 bit(u64 x, u64 i)
{
	return x >> i & 1;
}

static u64 byte(u64 x, unsigned int i)
{
	return x >> 8 * i & 255;
}

static u64 power(u64 n)
{
	u64 r = 1;

	while (n--)
		r *= 2;
	return r;
}

/* What the lower bits are as a signed number */
static s128 sx(u64 x, unsigned int bits)
{
	s128 value = x, all = 1;

	for (unsigned int i = 0; i < bits; i++)
		all *= 2;
	value %= all;
	return value >= all / 2 ? value - all : value;
}

/* x divided by 2^n, rounded down */
static s128 floor_div(s128 x, u64 n)
{
	s128 by = 1;

	while (n--)
		by *= 2;
	return x >= 0 ? x / by : -((-x + by - 1) / by);
}

/* By a truth table: bit 3 is what 1 and 1 give, 2 1 and 0, 1 0 and 1, 0 0 and 0 */
static u64 bitwise(u64 a, u64 b, unsigned int truth)
{
	u64 r = 0;

	for (int i = 63; i >= 0; i--)
		r = 2 * r + bit(truth, 2 * bit(a, i) + bit(b, i));
	return r;
}

/* A field, of which what lies beyond the top does not count */
static u64 take(u64 x, unsigned int at, unsigned int length, unsigned int bits, bool sign)
{
	u64 r = 0;
	unsigned int n = 0;

	for (n = 0; n < length && at + n < bits; n++)
		r += bit(x, at + n) * power(n);
	return sign && n ? (u64)sx(r, n) : r;
}

static s128 nth(s128 a, s128 b, s128 c, int n)
{
	s128 v[3] = { a, b, c };

	for (int i = 0; i < 2; i++)
		for (int j = 0; j < 2; j++)
			if (v[j] > v[j + 1]) {
				s128 t = v[j];

				v[j] = v[j + 1];
				v[j + 1] = t;
			}
	return v[n];
}

static u64 distance(u64 a, u64 b)
{
	return a > b ? a - b : b - a;
}

static s128 limit(s128 x, s128 low, s128 high)
{
	return x < low ? low : x > high ? high : x;
}

/* V_PERM's choice: a byte of eight, a sign, zero or ones */
static u64 chosen(u64 eight, u64 selector)
{
	if (selector >= 13)
		return 255;
	if (selector == 12)
		return 0;
	if (selector >= 8)
		return bit(eight, 16 * (selector - 8) + 15) * 255;
	return byte(eight, (unsigned int)selector);
}

static float to_float(u64 x)
{
	u32 bits = (u32)x;
	float f;

	memcpy(&f, &bits, sizeof(f));
	return f;
}

static u64 from_float(float f)
{
	u32 bits;

	memcpy(&bits, &f, sizeof(bits));
	return f == f ? bits : 0x7fc00000;
}

#define O(name, enc, widths, gens, ...) OF(name, __VA_ARGS__)
#define O8(name, enc, widths, ...) OF(name ## _8, __VA_ARGS__)
#define O9(name, enc, widths, ...) OF(name ## _9, __VA_ARGS__)
#define OF(name, ...)							\
static u64 oracle_ ## name(u64 a, u64 b, u64 c, u64 d, struct flags *f)	\
{									\
	u64 r = 0;							\
									\
	(void)a;							\
	(void)b;							\
	(void)c;							\
	(void)d;							\
	(void)f;							\
	__VA_ARGS__;							\
	return r;							\
}

#include "oracle.inc"

#undef O
#undef O8
#undef O9
#define O(str, form, w, in, ...) \
	{ .name = #str, .enc = form, .widths = w, .gens = in, .fn = oracle_ ## str },
#define O8(str, form, w, ...) \
	{ .name = #str, .enc = form, .widths = w, .gens = GFX8, .fn = oracle_ ## str ## _8 },
#define O9(str, form, w, ...) \
	{ .name = #str, .enc = form, .widths = w, .gens = GFX9, .fn = oracle_ ## str ## _9 },

static const struct op ops[] = {
#include "oracle.inc"
};

/* Comparisons: three widths, signed and not, eight conditions, also of EXEC */
enum { CMPS = 3 * 2 * 8 * 2 };

static const char *const conditions[] = { "f", "lt", "eq", "le", "gt", "ne", "ge", "t" };

static bool condition(unsigned int of, s128 a, s128 b)
{
	const bool holds[] = { false, a < b, a == b, a <= b, a > b, a != b, a >= b, true };

	return holds[of];
}

static struct op cmps[CMPS];
static char cmp_names[CMPS][24];

static void make_cmps(void)
{
	for (unsigned int n = 0; n < CMPS && !cmps[n].name; n++) {
		unsigned int bits = 16U << n / 32, is_signed = n / 16 % 2, x = n / 8 % 2;

		snprintf(cmp_names[n], sizeof(cmp_names[n]), "v_cmp%s_%s_%c%u", x ? "x" : "",
			 conditions[n % 8], is_signed ? 'i' : 'u', bits);
		cmps[n] = (struct op) {
			.name = cmp_names[n],
			.enc = x ? VCMPX : VCMP,
			.widths = bits == 64 ? is_signed ? "0ss" : "022" : "011",
			.gens = GFX8_9,
		};
	}
}

/* One of all operations, by number */
static const struct op *op_at(unsigned int id)
{
	make_cmps();
	if (id < ARRAY_SIZE(ops))
		return &ops[id];
	id -= ARRAY_SIZE(ops);
	if (id < CMPS)
		return &cmps[id];
	id -= CMPS;
	return id < nr_mem_ops ? &mem_ops[id] : NULL;
}

/* The same, but of those that a generation has */
static const struct op *op_of(enum gcn_gen gen, unsigned int id)
{
	const struct op *op;

	for (unsigned int n = 0; (op = op_at(n)); n++)
		if (op->gens & gen && !id--)
			return op;
	return NULL;
}

unsigned int inst_names(enum gcn_gen gen)
{
	static unsigned int nr[GFX9 + 1];

	while (!nr[gen] || op_of(gen, nr[gen]))
		nr[gen]++;
	return nr[gen];
}

const char *inst_name(enum gcn_gen gen, unsigned int id)
{
	return op_of(gen, id)->name;
}

static void put(char *text, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + used, 160 - used, fmt, ap);
	va_end(ap);
}

static unsigned int dwords(char width)
{
	return width == 's' ? 2 : (unsigned int)(width - '0');
}

/* Registers that an operand of this width may start at */
static unsigned int pick_v(unsigned int nr)
{
	return rnd_below(NR_VREGS - nr + 1);
}

static unsigned int pick_s(unsigned int nr)
{
	return rnd_below(NR_SREGS / nr) * nr;
}

static struct operand scalar_operand(char width, bool literal)
{
	struct operand x = { .kind = OPERAND_S };

	switch (rnd_below(literal ? 8 : 6)) {
	case 0:
	case 1:
		x.kind = OPERAND_INT;
		x.n = (s32)rnd_below(81) - 16;
		break;
	case 2:
		x.kind = OPERAND_VCC;
		break;
	case 6:
		x.kind = OPERAND_LITERAL;
		/* Not what the assembler would find an inline constant for */
		x.n = (s32)(rnd_value() | 0x1001);
		if (width == 's')
			x.n &= 0x7fffffff;
		break;
	default:
		x.n = (s32)pick_s(dwords(width));
	}
	return x;
}

static struct operand vector_operand(char width)
{
	return (struct operand) { .kind = OPERAND_V, .n = (s32)pick_v(dwords(width)) };
}

static void print_regs(char *text, char file, unsigned int n, unsigned int nr)
{
	if (nr > 1)
		put(text, "%c[%u:%u]", file, n, n + nr - 1);
	else
		put(text, "%c%u", file, n);
}

static void print_operand(char *text, const struct operand *x, char width)
{
	switch (x->kind) {
	case OPERAND_V:
		print_regs(text, 'v', (unsigned int)x->n, dwords(width));
		break;
	case OPERAND_S:
		print_regs(text, 's', (unsigned int)x->n, dwords(width));
		break;
	case OPERAND_INT:
		put(text, "%d", x->n);
		break;
	case OPERAND_LITERAL:
		put(text, "%#x", (u32)x->n);
		break;
	case OPERAND_VCC:
		put(text, dwords(width) == 2 ? "vcc" : "vcc_lo");
	}
}

static void print_mask(char *text, unsigned int sdst)
{
	if (sdst == NR_SREGS)
		put(text, "vcc");
	else
		put(text, "s[%u:%u]", sdst, sdst + 1);
}

static void make_scalar(struct inst *in)
{
	const char *w = in->op->widths;
	unsigned int k;
	bool literal;

	in->dst = pick_s(w[0] == '0' ? 1 : dwords(w[0]));
	put(in->text, "%s ", in->op->name);
	if (w[0] != '0') {
		print_regs(in->text, 's', in->dst, dwords(w[0]));
		put(in->text, w[1] ? ", " : "");
	}
	literal = true;
	for (k = 1; w[k]; k++) {
		struct operand *x = &in->x[k - 1];

		/* A literal's sign in 64 bits is what compilers avoid. */
		*x = scalar_operand(w[k], literal);
		literal = literal && x->kind != OPERAND_LITERAL;
		put(in->text, k > 1 ? ", " : "");
		print_operand(in->text, x, w[k]);
	}
}

static void make_sopk(struct inst *in)
{
	in->dst = pick_s(1);
	in->imm = rnd_value() & 0xffff;
	put(in->text, "%s s%u, 0x%x", in->op->name, in->dst, in->imm);
}

static bool takes_sdwa(const struct op *op)
{
	switch (op->enc) {
	case VOP2:
	case VOP2S:
	case VOP1:
	case CARRY:
		return true;
	case VCMP:
	case VCMPX:
		return dwords(op->widths[1]) == 1;
	default:
		return false;
	}
}

static bool is_cmp(const struct op *op)
{
	return op->enc == VCMP || op->enc == VCMPX;
}

static enum form pick_form(const struct op *op)
{
	static const enum form forms[] = { FORM_E32, FORM_E64, FORM_E32, FORM_SDWA, FORM_DPP };

	if (op->enc == VOP3 || op->enc == VOP3S || op->enc == VOP3P || op->enc == MAD64)
		return FORM_E64;
	if (op->enc == READFIRST || op->enc == SWAP)
		return FORM_PLAIN;
	if (!takes_sdwa(op))
		return forms[rnd_below(2)];
	return forms[rnd_below(is_cmp(op) ? 4 : 5)];
}

static const char *const suffixes[] = { "", "_e32", "_e64", "_sdwa", "_dpp" };

static void make_sources(struct inst *in, unsigned int nr)
{
	const char *w = in->op->widths;
	bool scalar = in->op->enc == CARRY_IN || in->op->enc == CNDMASK;

	for (unsigned int k = 0; k < nr; k++) {
		bool allowed = in->form == FORM_E64 || (in->form == FORM_E32 && k == 0);

		in->x[k] = vector_operand(w[k + 1]);
		if (!allowed || rnd_below(2))
			continue;
		in->x[k] = scalar_operand(w[k + 1], in->form == FORM_E32 && dwords(w[k + 1]) == 1);
		if (in->x[k].kind == OPERAND_LITERAL && strstr(in->op->name, "16"))
			in->x[k].n &= 0xffff;
		if (in->x[k].kind == OPERAND_INT)
			continue;
		/* There is one scalar bus, which the mask takes if there is one. */
		if (scalar)
			in->x[k] = vector_operand(w[k + 1]);
		scalar = true;
	}
}

static void make_select(struct inst *in, bool two)
{
	static const char *const sel[] = {
		"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"
	};
	static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE" };

	if (!is_cmp(in->op))
		put(in->text, " dst_sel:%s dst_unused:%s", sel[in->dst_sel], unused[in->unused]);
	put(in->text, " src0_sel:%s", sel[in->sel[0]]);
	if (two)
		put(in->text, " src1_sel:%s", sel[in->sel[1]]);
}

static void pick_select(struct inst *in, bool two)
{
	for (unsigned int k = 0; k < 2; k++) {
		in->sel[k] = two || !k ? (u8)rnd_below(7) : 6;
		in->sext[k] = (two || !k) && rnd() & 1;
	}
	in->dst_sel = is_cmp(in->op) ? 6 : (u8)rnd_below(7);
	in->unused = (u8)rnd_below(3);
}

static void make_dpp(struct inst *in)
{
	static const struct { const char *text; u16 ctrl; } ctrls[] = {
		{ "row_shl:1", 0x101 }, { "row_shl:15", 0x10f }, { "row_shr:1", 0x111 },
		{ "row_shr:7", 0x117 }, { "row_ror:1", 0x121 }, { "row_ror:9", 0x129 },
		{ "wave_shl:1", 0x130 }, { "wave_rol:1", 0x134 }, { "wave_shr:1", 0x138 },
		{ "wave_ror:1", 0x13c }, { "row_mirror", 0x140 }, { "row_half_mirror", 0x141 },
		{ "row_bcast:15", 0x142 }, { "row_bcast:31", 0x143 },
	};
	unsigned int n = rnd_below(ARRAY_SIZE(ctrls) + 6);

	in->dpp_bound = rnd() & 1;
	in->row_mask = rnd_below(3) ? 15 : (u8)rnd_below(16);
	in->bank_mask = rnd_below(3) ? 15 : (u8)rnd_below(16);
	if (n < ARRAY_SIZE(ctrls)) {
		in->dpp = ctrls[n].ctrl;
		put(in->text, " %s", ctrls[n].text);
	} else {
		in->dpp = (u16)rnd_below(256);
		put(in->text, " quad_perm:[%u,%u,%u,%u]", in->dpp & 3, in->dpp >> 2 & 3,
		    in->dpp >> 4 & 3, in->dpp >> 6 & 3);
	}
	put(in->text, " row_mask:0x%x bank_mask:0x%x%s", in->row_mask, in->bank_mask,
	    in->dpp_bound ? " bound_ctrl:1" : "");
}

static bool takes_op_sel(const struct inst *in)
{
	static const char *const names[] = {
		"v_mad_u16", "v_mad_i16", "v_min3_i16", "v_min3_u16", "v_max3_i16", "v_max3_u16",
		"v_med3_i16", "v_med3_u16", "v_add_i16", "v_sub_i16"
	};

	for (unsigned int k = 0; k < ARRAY_SIZE(names) && in->gen == GFX9; k++)
		if (!strcmp(names[k], in->op->name))
			return true;
	return false;
}

static bool is_constant(const struct operand *x)
{
	return x->kind == OPERAND_INT || x->kind == OPERAND_LITERAL;
}

static void print_bits(char *text, const char *name, u32 bits, unsigned int nr)
{
	put(text, " %s:[", name);
	for (unsigned int k = 0; k < nr; k++)
		put(text, "%s%u", k ? "," : "", bits >> k & 1);
	put(text, "]");
}

static void make_halves(struct inst *in, unsigned int nr)
{
	bool packed = in->op->enc == VOP3P;

	in->op_sel_hi = packed ? (1U << nr) - 1 : 0;
	for (unsigned int k = 0; k < nr; k++) {
		u32 one = 1U << k;

		if (is_constant(&in->x[k]))
			in->op_sel_hi &= ~one;
		else if (packed || takes_op_sel(in))
			in->op_sel |= rnd() & one, in->op_sel_hi ^= packed ? rnd() & one : 0;
	}
	if (in->op_sel)
		print_bits(in->text, "op_sel", in->op_sel, packed ? nr : nr + 1);
	if (packed)
		print_bits(in->text, "op_sel_hi", in->op_sel_hi, nr);
}

static void make_vector(struct inst *in)
{
	const struct op *op = in->op;
	const char *w = op->widths;
	unsigned int nr = (unsigned int)strlen(w) - 1;
	bool mask = op->enc == CARRY || op->enc == CARRY_IN || op->enc == MAD64 || is_cmp(op);

	in->form = pick_form(op);
	if (op->enc == SWAP) {
		in->dst = pick_v(1);
		in->x[0] = vector_operand('1');
		put(in->text, "v_swap_b32 v%u, v%u", in->dst, (u32)in->x[0].n);
		return;
	}
	make_sources(in, nr);
	in->dst = w[0] == '0' ? 0 : pick_v(dwords(w[0]));
	in->sdst = in->form == FORM_E64 && rnd() & 1 ? pick_s(2) : NR_SREGS;
	if (op->enc == CNDMASK || op->enc == CARRY_IN)
		in->x[2] = (struct operand) {
			.kind = in->form == FORM_E64 && rnd() & 1 ? OPERAND_S : OPERAND_VCC,
			.n = (s32)pick_s(2)
		};
	if (op->enc == VOP2S || op->enc == VOP3S || op->enc == CARRY)
		in->clamp = (in->form == FORM_E64 || in->form == FORM_SDWA) && rnd() & 1;
	if (in->form == FORM_SDWA)
		pick_select(in, nr > 1);
	put(in->text, "%s%s ", op->name,
	    op->enc == VOP3 || op->enc == VOP3S || op->enc == VOP3P || op->enc == MAD64 ? "" :
	    in->form == FORM_SDWA && is_cmp(op) && in->gen == GFX8 ? "_sdwa" : suffixes[in->form]);
	if (w[0] != '0')
		print_regs(in->text, 'v', in->dst, dwords(w[0]));
	if (mask) {
		put(in->text, w[0] != '0' ? ", " : "");
		print_mask(in->text, in->sdst);
	}
	for (unsigned int k = 0; k < nr; k++) {
		bool sext = in->form == FORM_SDWA && in->sext[k];

		put(in->text, sext ? ", sext(" : ", ");
		print_operand(in->text, &in->x[k], w[k + 1]);
		put(in->text, sext ? ")" : "");
	}
	if (op->enc == CNDMASK || op->enc == CARRY_IN) {
		put(in->text, ", ");
		print_operand(in->text, &in->x[2], '2');
	}
	if (in->form == FORM_SDWA) {
		put(in->text, in->clamp ? " clamp" : "");
		make_select(in, nr > 1);
		return;
	}
	if (in->form == FORM_DPP)
		make_dpp(in);
	else if (in->form == FORM_E64 && (op->enc == VOP3 || op->enc == VOP3S || op->enc == VOP3P))
		make_halves(in, nr);
	put(in->text, in->clamp ? " clamp" : "");
}

static void make_lane(struct inst *in)
{
	in->x[0] = vector_operand('1');
	in->dst = pick_s(1);
	if (in->op->enc == READFIRST) {
		put(in->text, "v_readfirstlane_b32 s%u, v%u", in->dst, (u32)in->x[0].n);
		return;
	}
	in->x[1] = (struct operand) { .kind = rnd() & 1 ? OPERAND_S : OPERAND_INT,
				      .n = (s32)rnd_below(NR_SREGS) };
	if (in->op->enc == WRITELANE) {
		in->dst = pick_v(1);
		in->x[0] = (struct operand) { .kind = rnd() & 1 ? OPERAND_S : OPERAND_INT,
					      .n = (s32)rnd_below(NR_SREGS) };
		/* One scalar register, if it reads two */
		if (in->x[0].kind == OPERAND_S && in->x[1].kind == OPERAND_S)
			in->x[1] = in->x[0];
	}
	put(in->text, "%s %c%u, ", in->op->name, in->op->enc == WRITELANE ? 'v' : 's', in->dst);
	print_operand(in->text, &in->x[0], '1');
	put(in->text, ", ");
	print_operand(in->text, &in->x[1], '1');
}

void inst_make(struct inst *in, enum gcn_gen gen)
{
	memset(in, 0, sizeof(*in));
	in->gen = gen;
	in->id = rnd_below(inst_names(gen));
	in->op = op_of(gen, in->id);
	switch (in->op->enc) {
	case SOP2:
	case SOP1:
	case SAVEEXEC:
	case WREXEC:
	case SOPC:
		make_scalar(in);
		break;
	case SOPK:
	case CMPK:
		make_sopk(in);
		break;
	case READFIRST:
	case READLANE:
	case WRITELANE:
		make_lane(in);
		break;
	default:
		if (in->op->enc >= DS_READ)
			mem_make(in);
		else
			make_vector(in);
	}
}

void inst_prepare(const struct inst *in, struct state *st)
{
	if (in->op->enc >= DS_READ)
		mem_prepare(in, st);
}

/* An operand's value for a lane, zero-extended to what its width is */
static u64 value(const struct state *st, const struct operand *x, char width, unsigned int lane)
{
	unsigned int n = (unsigned int)x->n;
	bool wide = dwords(width) == 2;

	switch (x->kind) {
	case OPERAND_V:
		return st->v[n][lane] | (wide ? (u64)st->v[n + 1][lane] << 32 : 0);
	case OPERAND_S:
		return st->s[n] | (wide ? (u64)st->s[n + 1] << 32 : 0);
	case OPERAND_INT:
		return wide ? (u64)(s64)x->n : (u32)x->n;
	case OPERAND_LITERAL:
		return width == 's' ? (u64)(s64)x->n : (u32)x->n;
	case OPERAND_VCC:
		return wide ? st->vcc : (u32)st->vcc;
	}
	return 0;
}

static void expect_scalar(const struct inst *in, struct state *st)
{
	const char *w = in->op->widths;
	struct flags f = { .scc = st->scc };
	u64 a = 0, b = 0, d = 0, r;

	if (in->op->enc == SOPK || in->op->enc == CMPK) {
		a = in->imm;
	} else {
		a = value(st, &in->x[0], w[1], 0);
		b = w[2] ? value(st, &in->x[1], w[2], 0) : 0;
	}
	if (w[0] != '0')
		d = value(st, &(struct operand) { OPERAND_S, (s32)in->dst }, w[0], 0);
	if (in->op->enc == SAVEEXEC || in->op->enc == WREXEC)
		b = st->exec;
	r = in->op->fn(a, b, 0, d, &f);
	st->scc = f.scc;
	if (in->op->enc == SAVEEXEC || in->op->enc == WREXEC) {
		d = st->exec;
		st->exec = r;
		st->scc = r != 0;
		r = in->op->enc == SAVEEXEC ? d : r;
	}
	if (w[0] == '0' || in->op->enc == CMPK)
		return;
	st->s[in->dst] = (u32)r;
	if (dwords(w[0]) == 2)
		st->s[in->dst + 1] = (u32)(r >> 32);
}

static u64 selected(u64 x, unsigned int sel, bool sext)
{
	static const u8 shift[] = { 0, 8, 16, 24, 0, 16, 0 }, bits[] = { 8, 8, 8, 8, 16, 16, 32 };

	x = take(x, shift[sel], bits[sel], 32, sext);
	return x & M32;
}

static u32 merged(u64 r, u32 old, const struct inst *in)
{
	static const u8 shift[] = { 0, 8, 16, 24, 0, 16, 0 }, bits[] = { 8, 8, 8, 8, 16, 16, 32 };
	unsigned int low = shift[in->dst_sel], nr = bits[in->dst_sel];
	u32 out = 0;

	for (unsigned int i = 0; i < 32; i++) {
		u64 b;

		if (i >= low && i < low + nr)
			b = bit(r, i - low);
		else if (in->unused == 2)
			b = bit(old, i);
		else
			b = in->unused == 1 && i >= low + nr ? bit(r, nr - 1) : 0;
		out |= (u32)(b << i);
	}
	return out;
}

/* The lane that DPP takes the first operand from, -1 without one */
static int dpp_lane(unsigned int ctrl, int l)
{
	int in_row = l % 16, n = (int)ctrl % 16;

	if (ctrl < 256) {
		const int quad[] = { (int)ctrl % 4, (int)ctrl / 4 % 4, (int)ctrl / 16 % 4,
				     (int)ctrl / 64 };

		return l / 4 * 4 + quad[l % 4];
	}
	if (ctrl <= 0x10f)
		return in_row + n > 15 ? -1 : l + n;
	if (ctrl <= 0x11f)
		return in_row < n ? -1 : l - n;
	if (ctrl <= 0x12f)
		return l / 16 * 16 + (in_row + 16 - n) % 16;
	switch (ctrl) {
	case 0x130:
		return l == 63 ? -1 : l + 1;
	case 0x134:
		return (l + 1) % 64;
	case 0x138:
		return l - 1;
	case 0x13c:
		return (l + 63) % 64;
	case 0x140:
		return l / 16 * 16 + 15 - in_row;
	case 0x141:
		return l / 8 * 8 + 7 - l % 8;
	case 0x142:
		return l < 16 ? -1 : l / 16 * 16 - 1;
	}
	return l < 32 ? -1 : 31;
}

/* The operands of one lane; false if DPP leaves the lane out */
static bool lane_operands(const struct inst *in, const struct state *st, unsigned int l, u64 *x)
{
	const char *w = in->op->widths;
	unsigned int nr = (unsigned int)strlen(w) - 1;
	int from;

	for (unsigned int k = 0; k < nr; k++) {
		x[k] = value(st, &in->x[k], w[k + 1], l);
		if (in->form == FORM_SDWA)
			x[k] = selected(x[k], in->sel[k], in->sext[k]);
		if (in->op->enc != VOP3P && in->op_sel >> k & 1)
			x[k] /= 65536;
	}
	if (in->form != FORM_DPP)
		return true;
	if (!bit(in->row_mask, l / 16) || !bit(in->bank_mask, l / 4 % 4))
		return false;
	from = dpp_lane(in->dpp, (int)l);
	if (from < 0 || !bit(st->exec, (u64)from)) {
		x[0] = 0;
		return in->dpp_bound;
	}
	x[0] = value(st, &in->x[0], w[1], (unsigned int)from);
	return true;
}

static u64 packed(const struct inst *in, const u64 *x, struct flags *f)
{
	u64 lo[3] = { 0 }, hi[3] = { 0 };

	for (unsigned int k = 0; k < strlen(in->op->widths) - 1; k++) {
		lo[k] = in->op_sel >> k & 1 ? x[k] / 65536 : x[k] % 65536;
		hi[k] = in->op_sel_hi >> k & 1 ? x[k] / 65536 : x[k] % 65536;
	}
	return in->op->fn(lo[0], lo[1], lo[2], 0, f) % 65536 +
	       in->op->fn(hi[0], hi[1], hi[2], 0, f) % 65536 * 65536;
}

static void write_mask(struct state *st, unsigned int sdst, u64 mask)
{
	if (sdst == NR_SREGS) {
		st->vcc = mask;
		return;
	}
	st->s[sdst] = (u32)mask;
	st->s[sdst + 1] = (u32)(mask >> 32);
}

static bool compared(const struct inst *in, const u64 *x)
{
	unsigned int n = (unsigned int)(in->op - cmps), bits = 16U << n / 32;
	s128 a, b;

	if (n / 16 % 2) {
		a = sx(x[0], bits);
		b = sx(x[1], bits);
	} else {
		a = bits == 64 ? (s128)x[0] : (s128)(x[0] % power(bits));
		b = bits == 64 ? (s128)x[1] : (s128)(x[1] % power(bits));
	}
	return condition(n % 8, a, b);
}

static void expect_vector(const struct inst *in, struct state *st)
{
	const struct op *op = in->op;
	struct state *old = &(struct state) { 0 };
	u64 mask = 0, x[3] = { 0 }, r;
	bool carry = op->enc == CARRY || op->enc == CARRY_IN || op->enc == MAD64;

	*old = *st;
	for (unsigned int l = 0; l < LANES; l++) {
		struct flags f = { .lane = l, .clamp = in->clamp };

		if (!bit(old->exec, l) || !lane_operands(in, old, l, x))
			continue;
		if (is_cmp(op)) {
			mask |= (u64)compared(in, x) << l;
			continue;
		}
		if (op->enc == CARRY_IN || op->enc == CNDMASK)
			f.in = (u32)bit(value(old, &in->x[2], '2', 0), l);
		r = op->enc == VOP3P ? packed(in, x, &f) : op->fn(x[0], x[1], x[2], 0, &f);
		if (f.out == 1 && !in->clamp)
			mask |= 1ULL << l;
		if (in->form == FORM_SDWA)
			r = merged(r, old->v[in->dst][l], in);
		st->v[in->dst][l] = (u32)r;
		if (dwords(op->widths[0]) == 2)
			st->v[in->dst + 1][l] = (u32)(r >> 32);
	}
	if (is_cmp(op) || carry)
		write_mask(st, in->sdst, mask);
	if (op->enc == VCMPX)
		st->exec = mask;
}

static void expect_lane(const struct inst *in, struct state *st)
{
	unsigned int first = 0, lane;
	u32 t;

	while (first < 63 && !bit(st->exec, first))
		first++;
	if (!st->exec)
		first = 0;
	lane = (u32)value(st, &in->x[1], '1', 0) % 64;
	switch (in->op->enc) {
	case READFIRST:
		st->s[in->dst] = st->v[in->x[0].n][first];
		break;
	case READLANE:
		st->s[in->dst] = st->v[in->x[0].n][lane];
		break;
	case WRITELANE:
		st->v[in->dst][lane] = (u32)value(st, &in->x[0], '1', 0);
		break;
	default:
		for (lane = 0; lane < LANES; lane++)
			if (bit(st->exec, lane)) {
				t = st->v[in->dst][lane];
				st->v[in->dst][lane] = st->v[in->x[0].n][lane];
				st->v[in->x[0].n][lane] = t;
			}
	}
}

void inst_expect(const struct inst *in, struct state *st)
{
	switch (in->op->enc) {
	case SOP2:
	case SOP1:
	case SAVEEXEC:
	case WREXEC:
	case SOPC:
	case SOPK:
	case CMPK:
		expect_scalar(in, st);
		break;
	case READFIRST:
	case READLANE:
	case WRITELANE:
	case SWAP:
		expect_lane(in, st);
		break;
	default:
		if (in->op->enc >= DS_READ)
			mem_expect(in, st);
		else
			expect_vector(in, st);
	}
}
