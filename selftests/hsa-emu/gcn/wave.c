// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access.h"
#include "operand.h"

int wave_fault(struct wave *w, const struct insn *i, enum fault_kind kind, const char *fmt, ...)
{
	struct fault *f = &w->group->fault;
	va_list ap;

	if (f->kind)
		return STOP_FAULT;
	f->kind = kind;
	memcpy(f->group, w->group->id, sizeof(f->group));
	f->wave = w->index;
	f->pc = w->group->launch->program->base + 4ULL * i->pc;
	f->insn[0] = 0;
	i->print(i, f->insn, sizeof(f->insn));
	va_start(ap, fmt);
	vsnprintf(f->what, sizeof(f->what), fmt, ap);
	va_end(ap);
	return STOP_FAULT;
}

/* Whether a register waits for a load, and then it is the wait that is missing */
static bool is_pending(const struct counter *c, unsigned int reg, bool sgpr)
{
	for (unsigned int k = 0; k < c->nr; k++) {
		const struct pending *p = &c->ring[(c->head + k) % PENDING_MAX];

		if (p->sgpr == sgpr && reg - p->reg < p->nr)
			return true;
	}
	return false;
}

int wave_undefined(struct wave *w, const struct insn *i, unsigned int reg, unsigned int lane)
{
	bool vector = reg >= VGPR;
	unsigned int nr = reg % VGPR;
	char name[32] = "", where[32] = "";

	operand_print(name, sizeof(name), reg, W32, 0);
	if (vector)
		snprintf(where, sizeof(where), " of lane %u", lane);
	if (is_pending(&w->vm, nr, !vector) || is_pending(&w->lgkm, nr, !vector))
		return wave_fault(w, i, FAULT_UNDEFINED, "%s%s is used before it was waited for",
				  name, where);
	return wave_fault(w, i, FAULT_UNDEFINED,
			  "%s%s holds no value: never written, or with what holds none",
			  name, where);
}

static void arrive(struct wave *w, struct counter *c)
{
	const struct pending p = c->ring[c->head];

	c->head = (c->head + 1) % PENDING_MAX;
	c->nr--;
	for (unsigned int k = p.reg; k < p.reg + p.nr; k++) {
		/* Another load, still under way, will write it again. */
		if (c->nr && is_pending(c, k, p.sgpr))
			continue;
		if (p.sgpr)
			wave_set_sdef(w, k, true);
		else
			w->vdef[k] |= p.lanes;
	}
}

void wave_pending(struct wave *w, struct counter *c, struct pending p)
{
	/* The hardware waits when its counter is full. */
	if (c->nr == PENDING_MAX)
		arrive(w, c);
	c->ring[(c->head + c->nr) % PENDING_MAX] = p;
	c->nr++;
	if (p.sgpr)
		c->unordered = true;
}

void wave_wait(struct wave *w, struct counter *c, unsigned int left)
{
	/* Scalar loads overtake one another, so that only all can be waited for. */
	if (c->unordered && left)
		return;
	while (c->nr > left)
		arrive(w, c);
	if (!c->nr)
		c->unordered = false;
}

enum stop wave_run(struct wave *w, unsigned int budget)
{
	struct program *p = w->group->launch->program;

	while (budget--) {
		const struct insn *i = program_insn(p, w->pc);
		int stop;

		if (i->vregs > w->nr_vregs || i->sregs > w->nr_sregs)
			return wave_fault(w, i, FAULT_REGISTER,
					  "the kernel was given %u VGPRs and %u SGPRs",
					  w->nr_vregs, w->nr_sregs);
		w->next = w->pc + i->words;
		w->count[i->class]++;
		stop = i->run(w, i);
		if (stop == STOP_FAULT)
			return stop;
		w->pc = w->next;
		if (stop)
			return stop;
	}
	return STOP_BUDGET;
}
