// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Decoding and printing of vector arithmetic
 */
#include <string.h>

#include "encodings.h"
#include "valu.h"

static bool is_mask(const struct valu_op *op)
{
	return op->shape == SHAPE_CARRY_IN || op->shape == SHAPE_CNDMASK;
}

static bool writes_sgpr(const struct valu_op *op)
{
	return op->shape == SHAPE_READFIRSTLANE || op->shape == SHAPE_READLANE;
}

/* Lane numbers, and what v_writelane writes, are scalars. */
static bool is_scalar_operand(const struct valu_op *op, unsigned int k)
{
	return (k == 1 && op->shape == SHAPE_READLANE) || op->shape == SHAPE_WRITELANE ||
	       (k == 2 && is_mask(op));
}

static bool is_vector_operand(const struct valu_op *op, unsigned int k)
{
	return k == 0 && (writes_sgpr(op) || op->shape == SHAPE_SWAP);
}

static void need_regs(struct insn *i, unsigned int code, unsigned int dwords)
{
	unsigned int end = code % VGPR + dwords;

	if (code >= VGPR && end > i->vregs)
		i->vregs = (u16)end;
	if (code < VCC_LO && end > i->sregs)
		i->sregs = (u16)end;
}

/* VGPRs from 256 on wrap around nowhere. */
static bool operand_ok(struct program *p, struct insn *i, unsigned int k, enum width w)
{
	const struct valu_op *op = i->op;
	unsigned int code = i->src[k];

	if (code >= VGPR)
		return code + width_dwords(w) <= 2 * VGPR && !is_scalar_operand(op, k);
	if (k == 2 && is_mask(op) && code >= M0)
		return false;
	if (is_vector_operand(op, k))
		return false;
	/* What the inline floats are to 16-bit integers is not to be found out. */
	if (w == W16 && code >= INLINE_FLOAT && code <= 248)
		return false;
	if (w != W32 && w != W16 && code > EXEC_HI && !operand_is_inline(code))
		return false;
	if (code == LITERAL && (i->enc != ENC_E32 || w > W32))
		return false;
	return operand_ok_ssrc(p->gen, code, w == W16 ? W32 : w);
}

static bool set_operand(struct program *p, struct insn *i, unsigned int k, enum width w)
{
	unsigned int code = i->src[k];
	u64 value;

	if (!w)
		return true;
	if (!operand_ok(p, i, k, w))
		return false;
	need_regs(i, code, width_dwords(w));
	if (code == LITERAL)
		i->words = 2;
	if (code >= VGPR || (!operand_is_inline(code) && code != LITERAL))
		return true;
	value = operand_constant(code, w, i->word[1]);
	i->row[k] = program_literal(p, (u32)value);
	i->row_hi[k] = program_literal(p, (u32)(value >> 32));
	return i->row[k] && i->row_hi[k];
}

/* gfx8 and gfx9 can read one scalar register in a vector instruction. */
static bool one_scalar(const struct insn *i)
{
	const struct valu_op *op = i->op;
	const enum width widths[] = { op->a, op->b, op->c };
	int seen = -1;

	for (unsigned int k = 0; k < 3; k++) {
		int code = i->src[k];

		if (!widths[k] || code >= VGPR || operand_is_inline((unsigned int)code) ||
		    (k == 1 && op->shape == SHAPE_READLANE) || op->shape == SHAPE_WRITELANE)
			continue;
		if (seen >= 0 && seen != code)
			return false;
		seen = code;
	}
	return true;
}

static bool decode_operands(struct program *p, struct insn *i)
{
	const struct valu_op *op = i->op;

	if (!set_operand(p, i, 0, op->a) || !set_operand(p, i, 1, op->b) ||
	    !set_operand(p, i, 2, op->c) || !one_scalar(i))
		return false;
	if (op->shape == SHAPE_CMP || writes_sgpr(op)) {
		unsigned int d = op->shape == SHAPE_CMP ? i->sdst : i->dst;

		if (!operand_ok_sdst(d, op->dst) || (writes_sgpr(op) && d >= EXEC_LO))
			return false;
		need_regs(i, d, width_dwords(op->dst));
	} else if (op->dst) {
		if (i->dst + width_dwords(op->dst) > 256)
			return false;
		need_regs(i, VGPR + i->dst, width_dwords(op->dst));
	}
	if (op->shape == SHAPE_CARRY || op->shape == SHAPE_CARRY_IN ||
	    op->shape == SHAPE_WIDE_CARRY) {
		if (!operand_ok_sdst(i->sdst, W64) || i->sdst == EXEC_LO)
			return false;
		need_regs(i, i->sdst, 2);
	}
	if (i->clamp && !op->sat)
		return false;
	i->fn = lanes_best()->fn[i->clamp ? op->sat : op->fn].lane;
	i->run = valu_run(op, i->clamp);
	return true;
}

/* What may take parts of its operands, or other lanes' */
static bool selectable(const struct valu_op *op)
{
	return width_dwords(op->a) == 1 && op->shape != SHAPE_SWAP && !writes_sgpr(op) &&
	       !op->real;
}

static bool decode_sdwa(struct program *p, struct insn *i)
{
	const struct valu_op *op = i->op;
	u32 x = i->word[1];
	bool cmp = op->shape == SHAPE_CMP;

	i->words = 2;
	i->enc = ENC_SDWA;
	/* Negation and absolute value are of floats. */
	if (x & (3U << 20 | 3U << 28) || (!op->b && x >> 24))
		return false;
	if (!selectable(op) || (op->shape == SHAPE_CNDMASK && x & (1U << 19 | 1U << 27)))
		return false;
	i->src[0] = (x & 255) + VGPR;
	if (p->gen == GFX9) {
		i->src[0] = (x & 255) + (x & 1U << 23 ? 0 : VGPR);
		if (op->b && x & 1U << 31)
			i->src[1] -= VGPR;
		if (cmp && x & 1U << 15)
			i->sdst = x >> 8 & 127;
		else if (x & (cmp ? 0xff00 : 0xc000))
			return false;
	} else if (x & (1U << 23 | 1U << 31 | 0xc000) || (cmp && x & 0xff00)) {
		return false;
	}
	i->sdwa.sel[0] = x >> 16 & 7;
	i->sdwa.sext[0] = x >> 19 & 1;
	i->sdwa.sel[1] = x >> 24 & 7;
	i->sdwa.sext[1] = x >> 27 & 1;
	i->sdwa.dst_sel = cmp ? 6 : x >> 8 & 7;
	i->sdwa.dst_unused = cmp ? 0 : x >> 11 & 3;
	i->clamp = !cmp && x >> 13 & 1;
	return i->sdwa.sel[0] < 7 && i->sdwa.sel[1] < 7 && i->sdwa.dst_sel < 7 &&
	       i->sdwa.dst_unused < 3;
}

static bool dpp_ok(unsigned int ctrl)
{
	if (ctrl < 0x100)
		return true;
	if (ctrl < 0x130)
		return ctrl & 15;
	return ctrl == 0x130 || ctrl == 0x134 || ctrl == 0x138 || ctrl == 0x13c ||
	       (ctrl >= 0x140 && ctrl <= 0x143);
}

static bool decode_dpp(struct insn *i)
{
	const struct valu_op *op = i->op;
	u32 x = i->word[1];

	i->words = 2;
	i->enc = ENC_DPP;
	i->src[0] = (x & 255) + VGPR;
	i->dpp.ctrl = x >> 8 & 511;
	i->dpp.bound_ctrl = x >> 19 & 1;
	i->dpp.bank_mask = x >> 24 & 15;
	i->dpp.row_mask = (u8)(x >> 28);
	if (x & (15U << 20 | 3U << 17) || !dpp_ok(i->dpp.ctrl))
		return false;
	return selectable(op) && op->shape != SHAPE_CMP;
}

static bool decode_e32(struct program *p, struct insn *i)
{
	unsigned int code = i->word[0] >> 25, src0 = i->word[0] & 511;
	const struct valu_op *op;

	i->dst = i->word[0] >> 17 & 255;
	i->sdst = VCC_LO;
	i->src[0] = (u16)src0;
	i->src[1] = (i->word[0] >> 9 & 255) + VGPR;
	i->src[2] = VCC_LO;
	if (code == 63) {
		code = VOP1_BASE + (i->word[0] >> 9 & 255);
		if (code >= VOP3_ONLY)
			return false;
	} else if (code == 62) {
		code = i->dst;
	} else {
		code += VOP2_BASE;
	}
	op = valu_op(code, p->gen);
	i->op = op;
	if (!op || (!op->a && (src0 || i->dst)))
		return false;
	if (src0 == SDWA && !decode_sdwa(p, i))
		return false;
	if (src0 == DPP && !decode_dpp(i))
		return false;
	return decode_operands(p, i);
}

static bool decode_packed(struct program *p, struct insn *i)
{
	const struct valu_op *op = valu_op_packed(i->word[0] >> 16 & 127, p->gen);
	u32 hi = (i->word[1] >> 27 & 3) | (i->word[0] >> 12 & 4);
	unsigned int k;

	if (!op)
		return false;
	i->op = op;
	i->enc = ENC_VOP3P;
	/* Negation, and clamping */
	if (i->word[0] & (7U << 8 | 1U << 15) || i->word[1] >> 29)
		return false;
	if (!op->c && (i->word[0] & 1U << 13 || i->src[2]))
		return false;
	for (k = 0; k < (op->c ? 3U : 2U); k++) {
		/* What a constant's upper half is depends on the chip. */
		if (i->src[k] >= INLINE_INT && i->src[k] < VGPR &&
		    ((i->word[0] >> (11 + k) | hi >> k) & 1))
			return false;
	}
	return decode_operands(p, i);
}

static bool decode_e64(struct program *p, struct insn *i)
{
	unsigned int code = i->word[0] >> 16 & 0x3ff;
	u32 modifiers = i->word[0] & 0xff00;
	const struct valu_op *op;

	i->words = 2;
	i->enc = ENC_E64;
	i->dst = i->word[0] & 255;
	i->src[0] = i->word[1] & 511;
	i->src[1] = i->word[1] >> 9 & 511;
	i->src[2] = i->word[1] >> 18 & 511;
	if (code >= 0x380)
		return decode_packed(p, i);
	op = valu_op(code, p->gen);
	i->op = op;
	/* Output modifiers and negation are of floats. */
	if (!op || op->shape == SHAPE_SWAP || op->shape == SHAPE_READFIRSTLANE ||
	    i->word[1] >> 27)
		return false;
	if ((!op->dst && i->dst) || (!op->a && i->src[0]) || (!op->b && i->src[1]) ||
	    (!op->c && i->src[2]))
		return false;
	i->sdst = VCC_LO;
	if (op->shape == SHAPE_CMP) {
		i->sdst = i->dst;
	} else if (op->shape == SHAPE_CARRY || op->shape == SHAPE_CARRY_IN ||
		   op->shape == SHAPE_WIDE_CARRY) {
		i->sdst = i->word[0] >> 8 & 127;
		modifiers &= 0x8000;
	}
	if (op->op_sel && p->gen == GFX9) {
		i->op_sel = modifiers >> 11 & 7;
		modifiers &= ~0x3800U;
		/* Operands of 32 bits have no halves to select. */
		if (op->c == W32 && i->op_sel & 4)
			return false;
		for (unsigned int k = 0; k < 3; k++)
			if (i->op_sel >> k & 1 && operand_is_inline(i->src[k]))
				return false;
		if (!op->c && i->op_sel & 4)
			return false;
	}
	i->clamp = modifiers == 0x8000;
	return (!modifiers || i->clamp) && decode_operands(p, i);
}

bool decode_valu(struct program *p, struct insn *i)
{
	i->class = CLASS_VALU;
	i->print = valu_print;
	return i->word[0] >> 31 ? decode_e64(p, i) : decode_e32(p, i);
}

static void print_operand(const struct insn *i, char *buf, size_t size, unsigned int k,
			  enum width w)
{
	bool sext = i->enc == ENC_SDWA && k < 2 && i->sdwa.sext[k];

	append(buf, size, sext ? "sext(" : "");
	operand_print(buf, size, i->src[k], w, w == W16 ? i->word[1] & 0xffff : i->word[1]);
	append(buf, size, sext ? ")" : "");
}

static void print_sdwa(const struct insn *i, char *buf, size_t size)
{
	static const char *const sel[] = {
		"BYTE_0", "BYTE_1", "BYTE_2", "BYTE_3", "WORD_0", "WORD_1", "DWORD"
	};
	static const char *const unused[] = { "UNUSED_PAD", "UNUSED_SEXT", "UNUSED_PRESERVE" };
	const struct valu_op *op = i->op;

	append(buf, size, i->clamp ? " clamp" : "");
	if (op->shape != SHAPE_CMP)
		append(buf, size, " dst_sel:%s dst_unused:%s", sel[i->sdwa.dst_sel],
		       unused[i->sdwa.dst_unused]);
	append(buf, size, " src0_sel:%s", sel[i->sdwa.sel[0]]);
	if (op->b)
		append(buf, size, " src1_sel:%s", sel[i->sdwa.sel[1]]);
}

static void print_dpp(const struct insn *i, char *buf, size_t size)
{
	static const char *const rows[] = { "row_shl", "row_shr", "row_ror" };
	static const char *const waves[] = { "wave_shl", "wave_rol", "wave_shr", "wave_ror" };
	static const char *const others[] = {
		"row_mirror", "row_half_mirror", "row_bcast:15", "row_bcast:31"
	};
	unsigned int c = i->dpp.ctrl;

	if (c < 0x100)
		append(buf, size, " quad_perm:[%u,%u,%u,%u]", c & 3, c >> 2 & 3, c >> 4 & 3,
		       c >> 6 & 3);
	else if (c < 0x130)
		append(buf, size, " %s:%u", rows[(c >> 4) - 0x10], c & 15);
	else if (c < 0x140)
		append(buf, size, " %s:1", waves[c >> 2 & 3]);
	else
		append(buf, size, " %s", others[c & 3]);
	append(buf, size, " row_mask:0x%x bank_mask:0x%x", i->dpp.row_mask, i->dpp.bank_mask);
	if (i->dpp.bound_ctrl)
		append(buf, size, " bound_ctrl:1");
}

static void print_select(char *buf, size_t size, const char *name, u32 bits, unsigned int nr)
{
	append(buf, size, " %s:[", name);
	for (unsigned int k = 0; k < nr; k++)
		append(buf, size, "%s%u", k ? "," : "", bits >> k & 1);
	append(buf, size, "]");
}

static void print_modifiers(const struct insn *i, char *buf, size_t size)
{
	const struct valu_op *op = i->op;
	u32 lo = i->word[0] >> 11 & 7, hi;
	unsigned int nr = op->c ? 3 : 2;

	switch (i->enc) {
	case ENC_SDWA:
		print_sdwa(i, buf, size);
		break;
	case ENC_DPP:
		print_dpp(i, buf, size);
		break;
	case ENC_VOP3P:
		hi = (i->word[1] >> 27 & 3) | (i->word[0] >> 12 & 4);
		if (lo)
			print_select(buf, size, "op_sel", lo, nr);
		if ((hi & ((1U << nr) - 1)) != (1U << nr) - 1)
			print_select(buf, size, "op_sel_hi", hi, nr);
		break;
	case ENC_E64:
		/* The destination's half is the last. */
		if (i->op_sel)
			print_select(buf, size, "op_sel", i->op_sel, nr + 1);
		append(buf, size, i->clamp ? " clamp" : "");
		break;
	}
}

/* The names of VOP1, VOP2 and VOPC say which encoding it is. */
static const char *suffix(const struct insn *i)
{
	static const char *const suffixes[] = { "_e32", "_e64", "_sdwa", "_dpp", "" };
	const struct valu_op *op = i->op;
	unsigned int code = i->word[0] >> 16 & 0x3ff;

	if (op->shape == SHAPE_NOP)
		return i->enc == ENC_E64 ? "_e64" : "";
	if (op->shape == SHAPE_READFIRSTLANE || op->shape == SHAPE_SWAP)
		return "";
	if (i->enc == ENC_E64 && code >= VOP3_ONLY)
		return "";
	if (i->enc == ENC_SDWA && i->gen == GFX8 && op->shape == SHAPE_CMP)
		return "";
	return suffixes[i->enc];
}

void valu_print(const struct insn *i, char *buf, size_t size)
{
	const struct valu_op *op = i->op;
	bool carry = op->shape == SHAPE_CARRY || op->shape == SHAPE_CARRY_IN ||
		     op->shape == SHAPE_WIDE_CARRY;

	append(buf, size, "%s%s", op->name, suffix(i));
	if (op->dst) {
		append(buf, size, " ");
		if (op->shape == SHAPE_CMP)
			operand_print(buf, size, i->sdst, W64, 0);
		else
			operand_print(buf, size, writes_sgpr(op) ? i->dst : VGPR + i->dst,
				      op->dst, 0);
	}
	if (carry) {
		append(buf, size, ", ");
		operand_print(buf, size, i->sdst, W64, 0);
	}
	if (op->a) {
		append(buf, size, ", ");
		print_operand(i, buf, size, 0, op->a);
	}
	if (op->b) {
		append(buf, size, ", ");
		print_operand(i, buf, size, 1, op->b);
	}
	if (op->c) {
		append(buf, size, ", ");
		print_operand(i, buf, size, 2, op->c);
	}
	print_modifiers(i, buf, size);
}
