// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Program flow and waiting: SOPP
 */
#include "encodings.h"
#include "operand.h"
#include "wave.h"

enum sopp {
	S_NOP = 0,
	S_ENDPGM = 1,
	S_BRANCH = 2,
	S_CBRANCH_SCC0 = 4,
	S_CBRANCH_SCC1 = 5,
	S_CBRANCH_VCCZ = 6,
	S_CBRANCH_VCCNZ = 7,
	S_CBRANCH_EXECZ = 8,
	S_CBRANCH_EXECNZ = 9,
	S_BARRIER = 10,
	S_WAITCNT = 12,
	S_SLEEP = 14,
	S_SETPRIO = 15,
	S_TRAP = 18,
	S_ICACHE_INV = 19,
};

struct sopp_op {
	const char *name;
	insn_fn *run;
	print_fn *print;
};

static int run_nop(struct wave *w, const struct insn *i)
{
	(void)w;
	(void)i;
	return 0;
}

static int run_endpgm(struct wave *w, const struct insn *i)
{
	(void)i;
	w->done = true;
	return STOP_END;
}

static int jump(struct wave *w, const struct insn *i, bool taken)
{
	s64 target = (s64)w->next + i->imm;

	if (!taken)
		return 0;
	if (target < 0 || target >= w->group->launch->program->nr)
		return wave_fault(w, i, FAULT_MEMORY, "branch out of the code");
	w->next = (u32)target;
	return 0;
}

static int run_branch(struct wave *w, const struct insn *i)
{
	return jump(w, i, true);
}

static int run_branch_scc(struct wave *w, const struct insn *i)
{
	if (!w->scc_def)
		return wave_undefined(w, i, SCC, 0);
	return jump(w, i, w->scc == (i->enc == S_CBRANCH_SCC1));
}

static int run_branch_vcc(struct wave *w, const struct insn *i)
{
	if (!wave_known_zero(wave_s64(w, VCC_LO), wave_sdef64(w, VCC_LO)))
		return wave_undefined(w, i, VCC_LO, 0);
	return jump(w, i, !!wave_s64(w, VCC_LO) == (i->enc == S_CBRANCH_VCCNZ));
}

static int run_branch_exec(struct wave *w, const struct insn *i)
{
	return jump(w, i, !!wave_exec(w) == (i->enc == S_CBRANCH_EXECNZ));
}

/* Local memory written before a barrier is there after it only if waited for. */
static int run_barrier(struct wave *w, const struct insn *i)
{
	struct counter *c = &w->lgkm;

	for (unsigned int k = 0; k < c->nr; k++)
		if (c->ring[(c->head + k) % PENDING_MAX].lds)
			return wave_fault(w, i, FAULT_RACE,
					  "barrier with local memory accesses not waited for");
	w->at_barrier = true;
	return STOP_BARRIER;
}

static int run_sleep(struct wave *w, const struct insn *i)
{
	(void)w;
	(void)i;
	return STOP_SLEEP;
}

static int run_trap(struct wave *w, const struct insn *i)
{
	return wave_fault(w, i, FAULT_TRAP, "the kernel gave up");
}

static unsigned int vm_left(const struct insn *i)
{
	u32 k = i->word[0];

	return (k & 15) | (i->gen == GFX9 ? k >> 10 & 0x30 : 0);
}

static int run_waitcnt(struct wave *w, const struct insn *i)
{
	wave_wait(w, &w->vm, vm_left(i));
	wave_wait(w, &w->lgkm, i->word[0] >> 8 & 15);
	return 0;
}

static void print_plain(const struct insn *i, char *buf, size_t size)
{
	const struct sopp_op *op = i->op;

	append(buf, size, "%s", op->name);
}

static void print_number(const struct insn *i, char *buf, size_t size)
{
	const struct sopp_op *op = i->op;

	append(buf, size, (i->word[0] & 0xffff) > 64 ? "%s 0x%x" : "%s %u", op->name,
	       i->word[0] & 0xffff);
}

static void print_jump(const struct insn *i, char *buf, size_t size)
{
	const struct sopp_op *op = i->op;

	append(buf, size, "%s %u", op->name, i->word[0] & 0xffff);
}

static void print_waitcnt(const struct insn *i, char *buf, size_t size)
{
	unsigned int vm = vm_left(i), exp = i->word[0] >> 4 & 7, lgkm = i->word[0] >> 8 & 15;
	unsigned int vm_max = i->gen == GFX9 ? 63 : 15;
	bool all = vm == vm_max && exp == 7 && lgkm == 15;

	append(buf, size, "s_waitcnt");
	if (vm != vm_max || all)
		append(buf, size, " vmcnt(%u)", vm);
	if (exp != 7 || all)
		append(buf, size, " expcnt(%u)", exp);
	if (lgkm != 15 || all)
		append(buf, size, " lgkmcnt(%u)", lgkm);
}

static const struct sopp_op ops[] = {
	[S_NOP] = { "s_nop", run_nop, print_number },
	[S_ENDPGM] = { "s_endpgm", run_endpgm, print_plain },
	[S_BRANCH] = { "s_branch", run_branch, print_jump },
	[S_CBRANCH_SCC0] = { "s_cbranch_scc0", run_branch_scc, print_jump },
	[S_CBRANCH_SCC1] = { "s_cbranch_scc1", run_branch_scc, print_jump },
	[S_CBRANCH_VCCZ] = { "s_cbranch_vccz", run_branch_vcc, print_jump },
	[S_CBRANCH_VCCNZ] = { "s_cbranch_vccnz", run_branch_vcc, print_jump },
	[S_CBRANCH_EXECZ] = { "s_cbranch_execz", run_branch_exec, print_jump },
	[S_CBRANCH_EXECNZ] = { "s_cbranch_execnz", run_branch_exec, print_jump },
	[S_BARRIER] = { "s_barrier", run_barrier, print_plain },
	[S_WAITCNT] = { "s_waitcnt", run_waitcnt, print_waitcnt },
	[S_SLEEP] = { "s_sleep", run_sleep, print_number },
	[S_SETPRIO] = { "s_setprio", run_nop, print_number },
	[S_TRAP] = { "s_trap", run_trap, print_number },
	[S_ICACHE_INV] = { "s_icache_inv", run_nop, print_plain },
};

bool decode_sopp(struct program *p, struct insn *i)
{
	unsigned int code = i->word[0] >> 16 & 127;

	(void)p;
	if (code >= ARRAY_SIZE(ops) || !ops[code].name)
		return false;
	/* What takes no number has none. */
	if (ops[code].print == print_plain && i->word[0] & 0xffff)
		return false;
	i->op = &ops[code];
	i->enc = (u8)code;
	i->imm = (s16)i->word[0];
	i->run = ops[code].run;
	i->print = ops[code].print;
	i->class = code == S_WAITCNT || code == S_NOP || code == S_SLEEP ?
		   CLASS_WAIT : CLASS_BRANCH;
	return true;
}
