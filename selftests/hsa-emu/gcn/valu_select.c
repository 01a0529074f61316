// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Parts of operands, and operands from other lanes: SDWA, DPP, op_sel, VOP3P
 */
#include <string.h>

#include "valu.h"

enum { SEL_WORD_0 = 4, SEL_DWORD = 6 };
enum { UNUSED_PAD, UNUSED_SEXT, UNUSED_PRESERVE };

/* Where a part of a register lies */
static void part(unsigned int sel, unsigned int *shift, unsigned int *bits)
{
	*bits = sel < SEL_WORD_0 ? 8 : sel < SEL_DWORD ? 16 : 32;
	*shift = sel < SEL_WORD_0 ? 8 * sel : sel < SEL_DWORD ? 16 * (sel - SEL_WORD_0) : 0;
}

static void select_part(u32 *d, const u32 *a, unsigned int sel, bool sext)
{
	unsigned int shift, bits;

	part(sel, &shift, &bits);
	for (unsigned int l = 0; l < LANES; l++) {
		u32 x = a[l] << (32 - bits - shift);

		d[l] = sext ? (u32)((s32)x >> (32 - bits)) : x >> (32 - bits);
	}
}

static void select_sdwa(struct wave *w, const struct insn *i, struct valu_in *in)
{
	for (unsigned int k = 0; k < 2; k++) {
		select_part(w->tmp[k], in->x[k], i->sdwa.sel[k], i->sdwa.sext[k]);
		in->x[k] = w->tmp[k];
	}
}

u64 valu_merge(struct wave *w, const struct insn *i, u32 *r, u64 def)
{
	const u32 *old = w->v[i->dst];
	unsigned int shift, bits;
	u32 mask;

	part(i->sdwa.dst_sel, &shift, &bits);
	if (bits == 32)
		return def;
	mask = ((1U << bits) - 1) << shift;
	for (unsigned int l = 0; l < LANES; l++) {
		u32 x = r[l] << shift & mask;

		if (i->sdwa.dst_unused == UNUSED_PRESERVE)
			x |= old[l] & ~mask;
		else if (i->sdwa.dst_unused == UNUSED_SEXT)
			x |= (u32)((s32)(r[l] << (32 - bits)) >> (32 - bits)) << shift & ~mask;
		r[l] = x;
	}
	return i->sdwa.dst_unused == UNUSED_PRESERVE ? def & w->vdef[i->dst] : def;
}

/* Which lane l reads from, or -1 if there is none */
static int dpp_source(unsigned int ctrl, int l)
{
	int row = l & ~15, at = l & 15, n = (int)(ctrl & 15), from;

	switch (ctrl >> 4) {
	case 0x10:	/* row_shl */
		return at + n < 16 ? l + n : -1;
	case 0x11:	/* row_shr */
		return at - n >= 0 ? l - n : -1;
	case 0x12:	/* row_ror */
		return row + ((at - n) & 15);
	case 0x13:
		from = ctrl < 0x138 ? l + 1 : l - 1;
		if (from >= 0 && from < LANES)
			return from;
		/* wave_rol and wave_ror go round, wave_shl and wave_shr do not. */
		return ctrl & 4 ? from & (LANES - 1) : -1;
	case 0x14:
		if (ctrl == 0x140)	/* row_mirror */
			return row + 15 - at;
		if (ctrl == 0x141)	/* row_half_mirror */
			return (l & ~7) + 7 - (l & 7);
		if (ctrl == 0x142)	/* row_bcast:15 */
			return row ? row - 1 : -1;
		return l >= 32 ? 31 : -1;	/* row_bcast:31 */
	}
	return (l & ~3) + (int)(ctrl >> 2 * (l & 3) & 3);	/* quad_perm */
}

static void select_dpp(struct wave *w, const struct insn *i, struct valu_in *in)
{
	u64 exec = wave_exec(w), def = w->vdef[i->src[0] - VGPR];
	u64 other = i->src[1] >= VGPR ? w->vdef[i->src[1] - VGPR] : ~0ULL;
	u64 mask = 0, valid = 0, holds = 0;

	for (int l = 0; l < LANES; l++) {
		int from = dpp_source(i->dpp.ctrl, l);

		w->tmp[0][l] = 0;
		if (i->dpp.row_mask >> l / 16 & i->dpp.bank_mask >> l % 16 / 4 & 1)
			mask |= 1ULL << l;
		/* What another lane does not execute it does not give either. */
		if (from < 0 || !(exec >> from & 1))
			continue;
		valid |= 1ULL << l;
		holds |= (def >> from & 1) << l;
		w->tmp[0][l] = in->x[0][from];
	}
	in->x[0] = w->tmp[0];
	if (i->dpp.bound_ctrl)
		holds |= ~valid;
	else
		mask &= valid;
	in->mask &= mask;
	in->def = holds & other;
}

static void select_halves(struct wave *w, struct valu_in *in, unsigned int k, bool lo, bool hi)
{
	for (unsigned int l = 0; l < LANES; l++) {
		u32 x = in->x[k][l];

		w->tmp[k][l] = (x >> 16 * lo & 0xffff) | (x >> 16 * hi) << 16;
	}
	in->x[k] = w->tmp[k];
}

static void select_packed(struct wave *w, const struct insn *i, struct valu_in *in)
{
	const struct valu_op *op = i->op;
	u32 lo = i->word[0] >> 11, hi = (i->word[1] >> 27 & 3) | (i->word[0] >> 12 & 4);

	for (unsigned int k = 0; k < (op->c ? 3 : 2); k++)
		select_halves(w, in, k, lo >> k & 1, hi >> k & 1);
}

void valu_select(struct wave *w, const struct insn *i, struct valu_in *in)
{
	switch (i->enc) {
	case ENC_SDWA:
		select_sdwa(w, i, in);
		break;
	case ENC_DPP:
		select_dpp(w, i, in);
		break;
	case ENC_VOP3P:
		select_packed(w, i, in);
		break;
	default:
		for (unsigned int k = 0; k < 3; k++)
			if (i->op_sel >> k & 1)
				select_halves(w, in, k, true, true);
	}
}
