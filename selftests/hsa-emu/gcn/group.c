// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Work-groups: the state that the packet processor gives them, their barriers
 */
#include <stdlib.h>
#include <string.h>

#include "access.h"

static u32 items(const struct launch *l)
{
	return l->group_size[0] * l->group_size[1] * l->group_size[2];
}

static size_t round_up(size_t size)
{
	return (size + 63) / 64 * 64;
}

struct group *group_create(struct launch *l)
{
	unsigned int nr_waves = (items(l) + LANES - 1) / LANES;
	size_t rows = (size_t)l->nr_vregs * sizeof(u32[LANES]);
	size_t waves = round_up(nr_waves * sizeof(struct wave));
	size_t lds = round_up(l->lds_size), cells = round_up(lds_cells_size(l->lds_size));
	struct group *g = calloc(1, sizeof(*g));
	u8 *memory;

	if (!g)
		return NULL;
	memory = aligned_alloc(64, waves + nr_waves * rows + lds + cells);
	if (!memory) {
		free(g);
		return NULL;
	}
	g->memory = memory;
	g->launch = l;
	g->nr_waves = nr_waves;
	g->lds_size = l->lds_size;
	g->waves = (struct wave *)(void *)memory;
	memory += waves;
	memset(g->waves, 0, nr_waves * sizeof(struct wave));
	for (unsigned int k = 0; k < nr_waves; k++) {
		g->waves[k].v = (u32 (*)[LANES])(void *)memory;
		memory += rows;
	}
	g->lds = memory;
	g->lds_cells = (struct lds_cell *)(void *)(memory + lds);
	return g;
}

void group_destroy(struct group *g)
{
	free(g->memory);
	free(g);
}

static void set_sgpr(struct wave *w, unsigned int *at, u32 value)
{
	w->s[*at] = value;
	wave_set_sdef(w, (*at)++, true);
}

static void set_sgpr64(struct wave *w, unsigned int *at, u64 value)
{
	set_sgpr(w, at, (u32)value);
	set_sgpr(w, at, (u32)(value >> 32));
}

/* In the order that the AMDHSA ABI puts them; what has no scratch stays empty. */
static void start_sgprs(struct wave *w)
{
	const struct launch *l = w->group->launch;
	const struct launch_sgprs *s = &l->sgprs;
	unsigned int at = 0;

	if (s->private_buffer)
		at += 4;
	if (s->dispatch_ptr)
		set_sgpr64(w, &at, l->dispatch_ptr);
	if (s->queue_ptr)
		set_sgpr64(w, &at, l->queue_ptr);
	if (s->kernarg_ptr)
		set_sgpr64(w, &at, l->kernarg_ptr);
	if (s->dispatch_id)
		set_sgpr64(w, &at, l->dispatch_id);
	if (s->flat_scratch)
		at += 2;
	at = s->user;
	for (unsigned int k = 0; k < 3; k++)
		if (s->group_id[k])
			set_sgpr(w, &at, w->group->id[k]);
}

/* Which work-items there are, and their numbers, in VGPRs 0 to 2 */
static void start_items(struct wave *w)
{
	const struct launch *l = w->group->launch;
	const struct group *g = w->group;
	u64 exec = 0;

	for (unsigned int lane = 0; lane < LANES; lane++) {
		u32 n = w->index * LANES + lane;
		u32 id[3] = {
			n % l->group_size[0],
			n / l->group_size[0] % l->group_size[1],
			n / l->group_size[0] / l->group_size[1],
		};
		bool in = n < items(l);

		for (unsigned int k = 0; k < 3; k++) {
			if (k <= l->sgprs.item_id)
				w->v[k][lane] = id[k];
			/* The grid's last groups may be partial ones. */
			in = in && (u64)g->id[k] * l->group_size[k] + id[k] < l->grid_size[k];
		}
		exec |= (u64)in << lane;
	}
	for (unsigned int k = 0; k <= l->sgprs.item_id; k++)
		w->vdef[k] = exec;
	wave_set_s64(w, EXEC_LO, exec);
	wave_set_sdef(w, EXEC_LO, true);
	wave_set_sdef(w, EXEC_HI, true);
	w->done = !exec;
}

static void wave_start(struct group *g, unsigned int index)
{
	const struct launch *l = g->launch;
	struct wave *w = &g->waves[index];
	u32 (*v)[LANES] = w->v;
	u64 count[CLASSES];

	memcpy(count, w->count, sizeof(count));
	memset(w, 0, sizeof(*w));
	memcpy(w->count, count, sizeof(count));
	w->v = v;
	/* Old values show what a definedness that is wrong would hide. */
	memset(v, 0xa5, (size_t)l->nr_vregs * sizeof(v[0]));
	memset(w->s, 0xa5, sizeof(w->s));
	w->index = (u8)index;
	w->group = g;
	w->pc = l->entry;
	w->nr_vregs = l->nr_vregs;
	w->nr_sregs = l->nr_sregs;
	w->unit.id = g->index * g->nr_waves + index;
	w->unit.seen = l->race.start;
	start_sgprs(w);
	start_items(w);
}

void group_start(struct group *g, u32 index)
{
	const struct launch *l = g->launch;
	u32 left = index;

	for (unsigned int k = 0; k < 3; k++) {
		u32 nr = (l->grid_size[k] + l->group_size[k] - 1) / l->group_size[k];

		g->id[k] = left % nr;
		left /= nr;
	}
	g->index = index;
	g->lds_epoch = 0;
	g->arrived = 0;
	g->live = 0;
	memset(&g->fault, 0, sizeof(g->fault));
	memset(g->lds, 0xa5, g->lds_size);
	memset(g->lds_cells, 0, lds_cells_size(g->lds_size));
	for (unsigned int k = 0; k < g->nr_waves; k++) {
		wave_start(g, k);
		g->live += !g->waves[k].done;
	}
	g->started = g->live;
}

/* All waves that still run have come to the barrier. */
static enum stop open_barrier(struct group *g)
{
	u32 tick = race_tick();

	for (unsigned int k = 0; k < g->nr_waves; k++) {
		struct wave *w = &g->waves[k];

		/* The hardware goes on, but with what is no barrier of all work-items. */
		if (w->at_barrier && g->live < g->started)
			return wave_fault(w, program_insn(g->launch->program, w->pc - 1),
					  FAULT_BARRIER,
					  "%u of %u waves have ended without coming to it",
					  g->started - g->live, g->started);
		w->at_barrier = false;
		w->unit.seen_group = tick;
	}
	g->lds_epoch++;
	g->arrived = 0;
	return STOP_BUDGET;
}

enum stop group_run(struct group *g, unsigned int budget)
{
	bool slept = true;

	for (unsigned int k = 0; k < g->nr_waves; k++) {
		struct wave *w = &g->waves[k];
		enum stop stop;

		if (w->done || w->at_barrier)
			continue;
		w->region = NULL;
		stop = wave_run(w, budget);
		if (stop == STOP_FAULT)
			return stop;
		if (stop != STOP_SLEEP)
			slept = false;
		if (stop == STOP_BARRIER)
			g->arrived++;
		if (stop == STOP_END)
			g->live--;
	}
	if (!g->live)
		return STOP_END;
	if (g->arrived == g->live)
		return open_barrier(g);
	return slept ? STOP_SLEEP : STOP_BUDGET;
}
