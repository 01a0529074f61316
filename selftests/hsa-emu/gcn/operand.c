// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "operand.h"

/* The inline floats as each width has them; a 64-bit operand takes doubles. */
static const u16 half[] = {
	0x3800, 0xb800, 0x3c00, 0xbc00, 0x4000, 0xc000, 0x4400, 0xc400, 0x3118
};

static const u32 single[] = {
	0x3f000000, 0xbf000000, 0x3f800000, 0xbf800000, 0x40000000,
	0xc0000000, 0x40800000, 0xc0800000, 0x3e22f983
};

static const u64 dual[] = {
	0x3fe0000000000000, 0xbfe0000000000000, 0x3ff0000000000000,
	0xbff0000000000000, 0x4000000000000000, 0xc000000000000000,
	0x4010000000000000, 0xc010000000000000, 0x3fc45f306dc9c882
};

u64 operand_constant(unsigned int code, enum width w, u32 literal)
{
	bool wide = w == W64 || w == W64S;

	if (code >= INLINE_INT && code <= 208) {
		s64 value = code <= 192 ? (s64)code - INLINE_INT : 192 - (s64)code;

		return wide ? (u64)value : (u32)value;
	}
	if (code >= INLINE_FLOAT && code <= 248)
		return wide ? dual[code - INLINE_FLOAT] :
		       w == W16 ? half[code - INLINE_FLOAT] : single[code - INLINE_FLOAT];
	return w == W64S ? (u64)(s64)(s32)literal : literal;
}

/*
 * Registers that exist for a wave: 102 SGPRs, flat_scratch, xnack_mask, VCC,
 * M0 and EXEC. The trap handler's are nobody's business here.
 */
static bool is_sreg(unsigned int code, unsigned int dwords)
{
	unsigned int last = code + dwords - 1;

	if (dwords > 1 && code % (dwords > 2 ? 4 : 2))
		return false;
	return last <= VCC_HI || (code == M0 && dwords == 1) ||
	       (code >= EXEC_LO && last <= EXEC_HI);
}

bool operand_ok_ssrc(enum gcn_gen gen, unsigned int code, enum width w)
{
	if (code < INLINE_INT)
		return is_sreg(code, width_dwords(w));
	if (operand_is_inline(code) || code == LITERAL)
		return true;
	if (code >= SHARED_BASE && code <= PRIVATE_LIMIT)
		return gen == GFX9;
	return (code == VCCZ || code == EXECZ || code == SCC) && w == W32;
}

bool operand_ok_sdst(unsigned int code, enum width w)
{
	return code < INLINE_INT && is_sreg(code, width_dwords(w));
}

void append(char *buf, size_t size, const char *fmt, ...)
{
	size_t used = strnlen(buf, size);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(buf + used, size - used, fmt, ap);
	va_end(ap);
}

static const char *special_name(unsigned int code, unsigned int dwords)
{
	switch (code) {
	case 102:
		return dwords == 2 ? "flat_scratch" : "flat_scratch_lo";
	case 103:
		return "flat_scratch_hi";
	case 104:
		return dwords == 2 ? "xnack_mask" : "xnack_mask_lo";
	case 105:
		return "xnack_mask_hi";
	case VCC_LO:
		return dwords == 2 ? "vcc" : "vcc_lo";
	case VCC_HI:
		return "vcc_hi";
	case M0:
		return "m0";
	case EXEC_LO:
		return dwords == 2 ? "exec" : "exec_lo";
	case EXEC_HI:
		return "exec_hi";
	case SHARED_BASE:
		return "src_shared_base";
	case SHARED_LIMIT:
		return "src_shared_limit";
	case PRIVATE_BASE:
		return "src_private_base";
	case PRIVATE_LIMIT:
		return "src_private_limit";
	case VCCZ:
		return "src_vccz";
	case EXECZ:
		return "src_execz";
	case SCC:
		return "src_scc";
	}
	return NULL;
}

void operand_print(char *buf, size_t size, unsigned int code, enum width w, u32 literal)
{
	static const char *const floats[] = {
		"0.5", "-0.5", "1.0", "-1.0", "2.0", "-2.0", "4.0", "-4.0"
	};
	unsigned int dwords = width_dwords(w);
	const char *special = special_name(code, dwords);
	char file = code >= VGPR ? 'v' : 's';
	unsigned int reg = code % VGPR;

	if (special)
		append(buf, size, "%s", special);
	else if (code == LITERAL)
		append(buf, size, w != W16 && (s32)literal >= -16 && (s32)literal <= 64 ?
		       "%d" : "0x%x",
		       literal);
	else if (code >= INLINE_INT && code <= 208)
		append(buf, size, "%d", (s32)operand_constant(code, W32, 0));
	else if (code >= INLINE_FLOAT && code < 248)
		append(buf, size, "%s", floats[code - INLINE_FLOAT]);
	else if (code == 248)
		append(buf, size, "%s", dwords == 2 ? "0.15915494309189532" : "0.15915494");
	else if (dwords > 1)
		append(buf, size, "%c[%u:%u]", file, reg, reg + dwords - 1);
	else
		append(buf, size, "%c%u", file, reg);
}
