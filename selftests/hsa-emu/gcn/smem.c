// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Scalar loads, the scalar cache and the clocks: SMEM
 */
#include <time.h>

#include "access.h"
#include "encodings.h"
#include "operand.h"

enum {
	S_LOAD_DWORD = 0,
	S_LOAD_DWORDX16 = 4,
	S_DCACHE_INV = 32,
	S_DCACHE_WB_VOL = 35,
	S_MEMTIME = 36,
	S_MEMREALTIME = 37,
	NO_SGPR = 0xffff,
};

static const char *const load_names[] = {
	"s_load_dword", "s_load_dwordx2", "s_load_dwordx4", "s_load_dwordx8",
	"s_load_dwordx16",
};

static const char *const cache_names[] = {
	"s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol", "s_dcache_wb_vol",
	"s_memtime", "s_memrealtime",
};

static unsigned int dwords(const struct insn *i)
{
	return 1U << (i->enc - S_LOAD_DWORD);
}

static void arrives_later(struct wave *w, const struct insn *i, unsigned int nr)
{
	for (unsigned int k = 0; k < nr; k++)
		wave_set_sdef(w, i->sdst + k, false);
	wave_pending(w, &w->lgkm, (struct pending) { .reg = i->sdst, .nr = (u8)nr, .sgpr = true });
}

static int run_load(struct wave *w, const struct insn *i)
{
	struct access a = { .size = 4 * dwords(i) };
	unsigned int base = i->src[0];
	u64 addr;
	u8 *host;

	if (!wave_sdef(w, base) || !wave_sdef(w, base + 1))
		return wave_undefined(w, i, base, 0);
	addr = wave_s64(w, base) + (u64)(s64)i->imm;
	if (i->src[1] != NO_SGPR) {
		if (!wave_sdef(w, i->src[1]))
			return wave_undefined(w, i, i->src[1], 0);
		addr += w->s[i->src[1]];
	}
	if (addr % 4)
		return wave_fault(w, i, FAULT_UNALIGNED, "scalar load at %#lx", addr);
	host = mem_access(w, i, &a, addr);
	if (!host)
		return STOP_FAULT;
	for (unsigned int k = 0; k < dwords(i); k++)
		w->s[i->sdst + k] = load32(host + 4 * k);
	arrives_later(w, i, dwords(i));
	return 0;
}

static int run_cache(struct wave *w, const struct insn *i)
{
	(void)w;
	(void)i;
	return 0;
}

static int run_time(struct wave *w, const struct insn *i)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	wave_set_s64(w, i->sdst, (u64)now.tv_sec * 1000000000 + (u64)now.tv_nsec);
	arrives_later(w, i, 2);
	return 0;
}

static void print_smem(const struct insn *i, char *buf, size_t size)
{
	const char *sign = i->imm < 0 ? "-" : "";
	u32 distance = i->imm < 0 ? 0 - (u32)i->imm : (u32)i->imm;

	if (i->enc > S_LOAD_DWORDX16) {
		append(buf, size, "%s", cache_names[i->enc - S_DCACHE_INV]);
		if (i->enc >= S_MEMTIME) {
			append(buf, size, " ");
			operand_print(buf, size, i->sdst, W64, 0);
		}
		return;
	}
	append(buf, size, "%s ", load_names[i->enc]);
	if (dwords(i) > 4)
		append(buf, size, "s[%u:%u]", i->sdst, i->sdst + dwords(i) - 1);
	else
		operand_print(buf, size, i->sdst,
			      dwords(i) == 4 ? W128 : dwords(i) == 2 ? W64 : W32, 0);
	append(buf, size, ", ");
	operand_print(buf, size, i->src[0], W64, 0);
	append(buf, size, ", ");
	if (i->src[1] == NO_SGPR) {
		append(buf, size, "%s0x%x", sign, distance);
	} else {
		operand_print(buf, size, i->src[1], W32, 0);
		if (i->word[0] & 1 << 17)
			append(buf, size, " offset:%s0x%x", sign, distance);
	}
	append(buf, size, i->word[0] & 1 << 16 ? " glc" : "");
}

static bool decode_load(struct program *p, struct insn *i)
{
	bool imm = i->word[0] >> 17 & 1, soe = i->word[0] >> 14 & 1;
	unsigned int end;

	i->run = run_load;
	i->src[0] = (u16)((i->word[0] & 63) * 2);
	i->src[1] = NO_SGPR;
	if (p->gen == GFX9) {
		if (imm)
			i->imm = (s32)(i->word[1] << 11) >> 11;
		if (soe)
			i->src[1] = (u16)(i->word[1] >> 25);
		else if (!imm)
			i->src[1] = i->word[1] & 127;
		/* Two offsets need the one that is not a constant to be there. */
		if (i->word[0] & 1 << 15 || (soe && !imm))
			return false;
	} else {
		if (soe || i->word[0] & 1 << 15)
			return false;
		if (imm)
			i->imm = (s32)(i->word[1] & 0xfffff);
		else
			i->src[1] = i->word[1] & 127;
	}
	end = i->sdst + dwords(i);
	if (dwords(i) > 1 && i->sdst % (dwords(i) > 2 ? 4 : 2))
		return false;
	if (!operand_ok_sdst(i->sdst, W32) || i->sdst >= M0 || end > VCC_HI + 1 ||
	    (dwords(i) > 2 && end > 104))
		return false;
	if (!operand_ok_sdst(i->src[0], W64) || i->src[0] >= EXEC_LO)
		return false;
	if (i->src[1] != NO_SGPR && !operand_ok_sdst(i->src[1], W32))
		return false;
	i->sregs = end <= VCC_LO ? (u16)end : 0;
	if (i->src[0] < VCC_LO && i->src[0] + 2 > i->sregs)
		i->sregs = i->src[0] + 2;
	if (i->src[1] < VCC_LO && i->src[1] + 1 > i->sregs)
		i->sregs = i->src[1] + 1;
	return true;
}

bool decode_smem(struct program *p, struct insn *i)
{
	unsigned int code = i->word[0] >> 18 & 255;

	i->words = 2;
	i->class = CLASS_SMEM;
	i->enc = (u8)code;
	i->sdst = i->word[0] >> 6 & 127;
	i->print = print_smem;
	if (code <= S_LOAD_DWORDX16)
		return decode_load(p, i);
	if (code >= S_MEMTIME && code <= S_MEMREALTIME) {
		i->run = run_time;
		return operand_ok_sdst(i->sdst, W64) && i->sdst < M0 &&
		       !(i->word[0] & 0x3e03f) && !i->word[1];
	}
	i->run = run_cache;
	return code >= S_DCACHE_INV && code <= S_DCACHE_WB_VOL &&
	       !(i->word[0] & 0x3ffff) && !i->word[1];
}
