// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "encodings.h"
#include "operand.h"
#include "wave.h"

struct literal {
	u32 row[LANES] __attribute__((aligned(64)));
	struct literal *next;
};

static int run_unknown(struct wave *w, const struct insn *i)
{
	return wave_fault(w, i, FAULT_INSN, "unknown instruction %08x %08x", i->word[0],
			  i->word[1]);
}

static int run_end(struct wave *w, const struct insn *i)
{
	return wave_fault(w, i, FAULT_INSN, "ran off the end of the code");
}

static void print_raw(const struct insn *i, char *buf, size_t size)
{
	append(buf, size, ".long 0x%08x, 0x%08x", i->word[0], i->word[1]);
}

static bool decode_any(struct program *p, struct insn *i)
{
	u32 word = i->word[0];

	if (!(word >> 31))
		return decode_valu(p, i);
	if (word >> 23 == 0x17f)
		return decode_sopp(p, i);
	if (word >> 30 == 2)
		return decode_salu(p, i);
	switch (word >> 26) {
	case 0x30:
		return decode_smem(p, i);
	case 0x34:
		return decode_valu(p, i);
	case 0x36:
		return decode_ds(p, i);
	case 0x37:
		return decode_flat(p, i);
	case 0x38:
		return decode_mubuf(p, i);
	}
	return false;
}

static void decode(struct program *p, struct insn *i, u32 at)
{
	i->pc = at;
	i->gen = p->gen;
	i->word[0] = p->words[at];
	i->word[1] = at + 1 < p->nr ? p->words[at + 1] : 0;
	i->words = 1;
	if (!decode_any(p, i) || at + i->words > p->nr) {
		i->words = 1;
		i->vregs = 0;
		i->sregs = 0;
		i->run = run_unknown;
		i->print = print_raw;
	}
}

struct program *program_create(enum gcn_gen gen, u64 base, const u32 *words, u32 nr)
{
	struct program *p = calloc(1, sizeof(*p));

	if (!p)
		return NULL;
	p->insns = calloc(nr, sizeof(*p->insns));
	if (!p->insns) {
		free(p);
		return NULL;
	}
	p->gen = gen;
	p->base = base;
	p->words = words;
	p->nr = nr;
	p->end.pc = nr;
	p->end.words = 1;
	p->end.print = print_raw;
	p->end.run = run_end;
	pthread_mutex_init(&p->lock, NULL);
	return p;
}

void program_destroy(struct program *p)
{
	while (p->literals) {
		struct literal *next = p->literals->next;

		free(p->literals);
		p->literals = next;
	}
	pthread_mutex_destroy(&p->lock);
	free(p->insns);
	free(p);
}

const struct insn *program_insn(struct program *p, u32 at)
{
	struct insn *i, fresh;

	if (at >= p->nr)
		return &p->end;
	i = &p->insns[at];
	if (__atomic_load_n(&i->run, __ATOMIC_ACQUIRE))
		return i;
	pthread_mutex_lock(&p->lock);
	if (!i->run) {
		insn_fn *run;

		memset(&fresh, 0, sizeof(fresh));
		decode(p, &fresh, at);
		run = fresh.run;
		fresh.run = NULL;
		memcpy(i, &fresh, sizeof(fresh));
		/* Complete, before anybody sees that it is there */
		__atomic_store_n(&i->run, run, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&p->lock);
	return i;
}

const u32 *program_literal(struct program *p, u32 value)
{
	struct literal *l;

	for (l = p->literals; l; l = l->next)
		if (l->row[0] == value)
			return l->row;
	l = aligned_alloc(64, sizeof(*l));
	if (!l)
		return NULL;
	for (unsigned int k = 0; k < LANES; k++)
		l->row[k] = value;
	l->next = p->literals;
	p->literals = l;
	return l->row;
}

unsigned int gcn_print(enum gcn_gen gen, const u32 *words, unsigned int nr, char *buf,
		       size_t size)
{
	struct program *p = program_create(gen, 0, words, nr);
	unsigned int length = 0;
	const struct insn *i;

	buf[0] = 0;
	if (!p)
		return 0;
	i = program_insn(p, 0);
	i->print(i, buf, size);
	if (i->print != print_raw)
		length = i->words;
	program_destroy(p);
	return length;
}
