// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdio.h>

#include "access.h"

int check_vregs(struct wave *w, const struct insn *i, unsigned int reg, unsigned int nr,
		u64 lanes)
{
	for (unsigned int k = reg; k < reg + nr; k++) {
		u64 missing = lanes & ~w->vdef[k];

		if (missing)
			return wave_undefined(w, i, VGPR + k,
					      (unsigned int)__builtin_ctzll(missing));
	}
	return 0;
}

static const char *does(const struct access *a)
{
	return a->atomic && a->write ? "changes" : a->write ? "writes" : "reads";
}

static void report_race(struct wave *w, const struct insn *i, const struct access *a,
			u64 addr, const struct race_report *r)
{
	const struct launch *l = w->group->launch;
	char other[64] = "";

	if (r->launch != l->race.id)
		snprintf(other, sizeof(other), " of dispatch %u", r->launch);
	wave_fault(w, i, FAULT_RACE,
		   "%s %u bytes at %#lx, which work-group %u wave %u%s %s, and nothing orders them",
		   does(a), a->size, addr, r->unit / l->race.waves, r->unit % l->race.waves,
		   other, r->write ? "writes" : "reads");
}

static bool races(struct wave *w, const struct insn *i, const struct access *a, u64 addr,
		  const struct region *r)
{
	const struct race_launch *l = &w->group->launch->race;
	u64 offset = addr - r->base;
	u32 left = a->size;

	while (left) {
		u32 at = offset & 3, n = left < 4 - at ? left : 4 - at;
		struct race_report report;

		if (race_access(&r->cells[offset / 4], l, &w->unit, ((1U << n) - 1) << at,
				a->write, a->atomic, &report)) {
			report_race(w, i, a, addr, &report);
			return true;
		}
		offset += n;
		left -= n;
	}
	return false;
}

static bool within(const struct region *r, u64 addr, u32 size)
{
	return r && addr - r->base < r->size && r->size - (addr - r->base) >= size;
}

u8 *mem_access(struct wave *w, const struct insn *i, const struct access *a, u64 addr)
{
	struct aspace *as = w->group->launch->aspace;
	const struct region *r = w->region;
	char why[160];

	if (!within(r, addr, a->size)) {
		r = aspace_find(as, addr, a->size);
		if (!r) {
			aspace_explain(as, addr, why, sizeof(why));
			wave_fault(w, i, FAULT_MEMORY, "%s %u bytes at %#lx: %s", does(a),
				   a->size, addr, why);
			w->group->fault.address = addr;
			w->group->fault.write = a->write;
			return NULL;
		}
		w->region = r;
	}
	if (a->write && !(r->flags & REGION_WRITE)) {
		wave_fault(w, i, FAULT_MEMORY, "%s %u bytes at %#lx: %s is not to be written",
			   does(a), a->size, addr, r->what);
		w->group->fault.address = addr;
		w->group->fault.write = true;
		return NULL;
	}
	if (races(w, i, a, addr, r))
		return NULL;
	return r->host + (addr - r->base);
}

/*
 * Who used four bytes of local memory, since when nobody has passed a barrier:
 * the epoch in the upper 20 bits, then the wave and these
 */
#define LDS_OTHERS 0x20
#define LDS_ATOMIC 0x10
#define LDS_BYTES 0xf

struct lds_cell {
	u32 writer, reader;
	u32 def;		/* which bytes were ever written */
};

size_t lds_cells_size(u32 lds_size)
{
	return (lds_size + 3) / 4 * sizeof(struct lds_cell);
}

static bool lds_conflict(u32 rec, u32 self)
{
	bool same_wave = !((rec ^ self) & 0xfc0);

	if (!rec || rec >> 12 != self >> 12 || !(rec & self & LDS_BYTES))
		return false;
	return !same_wave || rec & LDS_OTHERS;
}

static u32 lds_merge_reader(u32 old, u32 self)
{
	if (!old || old >> 12 != self >> 12)
		return self;
	if ((old ^ self) & 0xfc0)
		return old | LDS_OTHERS | (self & LDS_BYTES);
	return old | self;
}

static int lds_race(struct wave *w, const struct insn *i, const struct access *a, u32 addr,
		    u32 rec, bool wrote)
{
	return wave_fault(w, i, FAULT_RACE,
			  "%s %u bytes of local memory at %#x, which wave %u %s, without a barrier between",
			  does(a), a->size, addr, rec >> 6 & 63, wrote ? "writes" : "reads");
}

static int lds_note(struct wave *w, const struct insn *i, const struct access *a, u32 addr,
		    struct lds_cell *c, u32 mask)
{
	u32 self = (w->group->lds_epoch + 1) << 12 | (u32)w->index << 6 |
		   (a->atomic ? LDS_ATOMIC : 0) | mask;

	if (!(a->atomic && c->writer & LDS_ATOMIC) && lds_conflict(c->writer, self))
		return lds_race(w, i, a, addr, c->writer, true);
	if (!a->write) {
		c->reader = lds_merge_reader(c->reader, self);
		return 0;
	}
	if (lds_conflict(c->reader, self))
		return lds_race(w, i, a, addr, c->reader, false);
	if (c->writer >> 6 == self >> 6)
		self |= c->writer & LDS_BYTES;
	c->writer = self;
	c->def |= mask;
	return 0;
}

u8 *lds_access(struct wave *w, const struct insn *i, const struct access *a, u32 addr,
	       bool *def)
{
	struct group *g = w->group;
	u32 at = addr, left = a->size;

	if (addr >= g->lds_size || g->lds_size - addr < a->size) {
		wave_fault(w, i, FAULT_LDS, "%s %u bytes of local memory at %#x; it has %#x",
			   does(a), a->size, addr, g->lds_size);
		return NULL;
	}
	if (def)
		*def = true;
	while (left) {
		u32 from = at & 3, n = left < 4 - from ? left : 4 - from;
		u32 mask = ((1U << n) - 1) << from;
		struct lds_cell *c = &g->lds_cells[at / 4];

		if (def && mask & ~c->def)
			*def = false;
		if (lds_note(w, i, a, addr, c, mask))
			return NULL;
		at += n;
		left -= n;
	}
	return g->lds + addr;
}

static bool same_bytes(u32 rows[][LANES], unsigned int l, unsigned int m, u64 l_addr,
		       u64 m_addr, u32 size)
{
	u8 a[16], b[16];
	u32 skip = (u32)(m_addr - l_addr);

	for (u32 k = 0; k < (size + 3) / 4; k++) {
		memcpy(a + 4 * k, &rows[k][l], 4);
		memcpy(b + 4 * k, &rows[k][m], 4);
	}
	return !memcmp(a + skip, b, size - skip);
}

/* Lanes' addresses most often just rise, and then there is nothing to compare. */
static bool ascending(u64 lanes, const u64 *addr, u32 size)
{
	u64 end = 0;

	for (; lanes; lanes &= lanes - 1) {
		u64 a = addr[__builtin_ctzll(lanes)];

		if (a < end)
			return false;
		end = a + size;
	}
	return true;
}

int lanes_overlap(struct wave *w, const struct insn *i, u64 lanes, const u64 *addr,
		  u32 rows[][LANES], u32 size)
{
	if (ascending(lanes, addr, size))
		return 0;
	for (u64 ls = lanes; ls; ls &= ls - 1) {
		unsigned int l = (unsigned int)__builtin_ctzll(ls);

		for (u64 ms = lanes; ms; ms &= ms - 1) {
			unsigned int m = (unsigned int)__builtin_ctzll(ms);

			if (l == m || addr[m] - addr[l] >= size ||
			    same_bytes(rows, l, m, addr[l], addr[m], size))
				continue;
			return wave_fault(w, i, FAULT_RACE,
					  "lanes %u and %u store different values at %#lx",
					  l, m, addr[m]);
		}
	}
	return 0;
}
