// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Random instruction streams, executed one by one by the interpreter and by the
 * oracle (oracle.inc, oracle_mem.c), with all registers and memory compared after
 * each. LLVM's assembler makes the machine code, so that nothing of it is ours.
 *
 * Usage: ops asm GFX SEED		prints the stream as assembler source
 *        ops run GFX SEED OBJECT	executes it, assembled
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gcn/access.h"
#include "ops.h"

static u64 rng;

u32 rnd(void)
{
	rng = rng * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(rng >> 33 ^ rng >> 15);
}

u32 rnd_below(u32 n)
{
	return rnd() % n;
}

/* Values where instructions differ that are alike elsewhere */
u32 rnd_value(void)
{
	static const u32 edges[] = {
		0, 1, 2, 31, 32, 63, 64, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x10000,
		0x7fffff, 0x800000, 0xffffff, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
		0x00200005, 0x00400000, 0x4f800000, 0x3f800000,
	};

	switch (rnd_below(4)) {
	case 0:
		return edges[rnd_below(ARRAY_SIZE(edges))];
	case 1:
		return rnd_below(70);
	}
	return rnd() ^ rnd() << 16;
}

static u8 *load(const char *name, size_t *size)
{
	FILE *file = fopen(name, "rb");
	u8 *bytes = NULL;
	long length;

	if (!file || fseek(file, 0, SEEK_END))
		return NULL;
	length = ftell(file);
	rewind(file);
	if (length > 0) {
		bytes = malloc((size_t)length);
		if (bytes && fread(bytes, 1, (size_t)length, file) != (size_t)length)
			return NULL;
	}
	fclose(file);
	*size = (size_t)length;
	return bytes;
}

/* The .text of an object file */
static u32 *text_of(const u8 *bytes, u32 *nr)
{
	const Elf64_Ehdr *h = (const Elf64_Ehdr *)(const void *)bytes;
	const Elf64_Shdr *s = (const Elf64_Shdr *)(const void *)(bytes + h->e_shoff);
	const char *names = (const char *)bytes + s[h->e_shstrndx].sh_offset;

	for (unsigned int k = 0; k < h->e_shnum; k++) {
		if (strcmp(names + s[k].sh_name, ".text"))
			continue;
		*nr = (u32)(s[k].sh_size / 4);
		return (u32 *)(uintptr_t)(bytes + s[k].sh_offset);
	}
	return NULL;
}

static void randomise(struct state *st)
{
	for (unsigned int r = 0; r < NR_VREGS; r++)
		for (unsigned int l = 0; l < LANES; l++)
			st->v[r][l] = rnd_value();
	for (unsigned int r = 0; r < NR_SREGS; r++)
		st->s[r] = rnd_value();
	st->vcc = (u64)rnd_value() << 32 | rnd_value();
	st->scc = rnd() & 1;
	st->m0 = LDS_SIZE;
	/* All lanes, often; none, sometimes */
	st->exec = rnd_below(3) ? ~0ULL : (u64)rnd_value() << 32 | rnd_value();
	for (unsigned int k = 0; k < LDS_SIZE; k++)
		st->lds[k] = (u8)rnd_value();
	for (unsigned int k = 0; k < MEM_SIZE; k++)
		st->mem[k] = (u8)rnd_value();
}

static void to_wave(const struct state *st, struct wave *w, u8 *mem)
{
	memcpy(w->v, st->v, sizeof(st->v));
	memcpy(w->s, st->s, sizeof(st->s));
	wave_set_s64(w, VCC_LO, st->vcc);
	wave_set_s64(w, EXEC_LO, st->exec);
	w->s[M0] = st->m0;
	w->scc = st->scc;
	memcpy(w->group->lds, st->lds, LDS_SIZE);
	memcpy(mem, st->mem, MEM_SIZE);
}

/* This test is about values; what holds one is tested elsewhere. */
static void all_defined(struct wave *w)
{
	wave_wait(w, &w->vm, 0);
	wave_wait(w, &w->lgkm, 0);
	memset(w->vdef, 0xff, sizeof(w->vdef));
	memset(w->sdef, 0xff, sizeof(w->sdef));
	w->scc_def = true;
}

static bool differs(const struct state *st, const struct wave *w, const u8 *mem)
{
	bool bad = false;

	for (unsigned int r = 0; r < NR_VREGS && !bad; r++)
		for (unsigned int l = 0; l < LANES && !bad; l++)
			if (st->v[r][l] != w->v[r][l]) {
				printf("# v%u of lane %u is %#x, should be %#x\n", r, l,
				       w->v[r][l], st->v[r][l]);
				bad = true;
			}
	for (unsigned int r = 0; r < NR_SREGS; r++)
		if (st->s[r] != w->s[r]) {
			printf("# s%u is %#x, should be %#x\n", r, w->s[r], st->s[r]);
			bad = true;
		}
	if (st->vcc != wave_s64(w, VCC_LO)) {
		printf("# vcc is %#lx, should be %#lx\n", wave_s64(w, VCC_LO), st->vcc);
		bad = true;
	}
	if (st->exec != wave_exec(w)) {
		printf("# exec is %#lx, should be %#lx\n", wave_exec(w), st->exec);
		bad = true;
	}
	if (st->scc != w->scc) {
		printf("# scc is %u, should be %u\n", w->scc, st->scc);
		bad = true;
	}
	for (unsigned int k = 0; k < LDS_SIZE && !bad; k++)
		if (st->lds[k] != w->group->lds[k]) {
			printf("# lds[%#x] is %#x, should be %#x\n", k, w->group->lds[k],
			       st->lds[k]);
			bad = true;
		}
	for (unsigned int k = 0; k < MEM_SIZE && !bad; k++)
		if (st->mem[k] != mem[k]) {
			printf("# memory[%#x] is %#x, should be %#x\n", k, mem[k], st->mem[k]);
			bad = true;
		}
	return bad;
}

static struct launch launch = {
	.group_size = { LANES, 1, 1 },
	.grid_size = { LANES, 1, 1 },
	.lds_size = LDS_SIZE,
	.nr_vregs = 256,
	.nr_sregs = 104,
	.aperture = APERTURE,
	.race = { .id = 1, .waves = 1 },
};

static unsigned int failed_of[4096], runs_of[4096];

static int step(struct inst *in, struct state *st, struct wave *w, u8 *mem)
{
	char text[128] = "";
	u32 pc = w->pc;
	enum stop stop;

	inst_prepare(in, st);
	to_wave(st, w, mem);
	all_defined(w);
	inst_expect(in, st);
	stop = wave_run(w, 1);
	runs_of[in->id]++;
	if (stop != STOP_FAULT && !differs(st, w, mem))
		return 0;
	if (stop == STOP_FAULT)
		printf("# %s\n", w->group->fault.what);
	program_insn(launch.program, pc)->print(program_insn(launch.program, pc), text,
						sizeof(text));
	printf("# by %s, decoded as %s\n", in->text, text);
	failed_of[in->id]++;
	return 1;
}

/* So that none of it was never written */
static void write_all_lds(struct wave *w)
{
	const struct access a = { .size = 4, .write = true };

	for (u32 addr = 0; addr < LDS_SIZE; addr += 4)
		lds_access(w, program_insn(launch.program, 0), &a, addr, NULL);
}

static int run(enum gcn_gen gen, const char *object)
{
	static struct state st;
	struct aspace as;
	struct group *g;
	struct wave *w;
	unsigned int failed = 0, ok = 0;
	size_t size;
	u8 *bytes = load(object, &size), *mem = aligned_alloc(64, MEM_SIZE);
	u32 nr, *words = bytes ? text_of(bytes, &nr) : NULL;

	if (!words || !mem)
		return 1;
	aspace_init(&as);
	aspace_add(&as, MEM_BASE, mem, MEM_SIZE, REGION_WRITE, "memory");
	launch.aspace = &as;
	launch.program = program_create(gen, CODE_BASE, words, nr);
	g = group_create(&launch);
	group_start(g, 0);
	w = &g->waves[0];
	write_all_lds(w);
	for (unsigned int n = 0; n < INSTS; n++) {
		struct inst in;
		u32 pc = w->pc;

		inst_make(&in, gen);
		if (n % 8 == 0)
			randomise(&st);
		/* Fewer messages than there may be failures */
		failed += step(&in, &st, w, mem);
		if (failed > 10)
			break;
		w->pc = pc + program_insn(launch.program, pc)->words;
		memset(&g->fault, 0, sizeof(g->fault));
	}
	if (w->pc != nr - 1 && !failed) {
		printf("# ended at %u of %u dwords\n", w->pc, nr);
		failed++;
	}
	for (unsigned int k = 0; k < inst_names(gen); k++) {
		ok += runs_of[k] != 0;
		if (!runs_of[k] && !failed)
			printf("# %s did not occur\n", inst_name(gen, k));
	}
	printf("# %u instructions of %u kinds\n", INSTS, ok);
	printf("%s 1 instructions compute what they should\n", failed ? "not ok" : "ok");
	printf("%s 2 each occurred\n", ok < inst_names(gen) ? "not ok" : "ok");
	failed += ok < inst_names(gen);
	group_destroy(g);
	program_destroy(launch.program);
	aspace_free(&as);
	free(mem);
	free(bytes);
	return failed ? 1 : 0;
}

int main(int argc, char **argv)
{
	enum gcn_gen gen;

	if (argc < 4 || (!strcmp(argv[1], "run") && argc < 5)) {
		fprintf(stderr, "usage: %s asm|run GFX SEED [OBJECT]\n", argv[0]);
		return 2;
	}
	gen = strncmp(argv[2], "gfx8", 4) ? GFX9 : GFX8;
	rng = strtoull(argv[3], NULL, 0) + 12345;
	if (!strcmp(argv[1], "run")) {
		printf("KTAP version 1\n1..2\n");
		return run(gen, argv[4]);
	}
	printf(".text\n");
	for (unsigned int n = 0; n < INSTS; n++) {
		static struct state st;
		struct inst in;

		inst_make(&in, gen);
		printf("%s\n", in.text);
		if (n % 8 == 0)
			randomise(&st);
		inst_prepare(&in, &st);
	}
	printf("s_endpgm\n");
	return 0;
}
