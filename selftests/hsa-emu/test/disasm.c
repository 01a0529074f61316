// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The decoder against LLVM's disassembler: whatever instruction is decoded,
 * LLVM must name the same, with the same operands and length; and integer
 * instructions that LLVM knows must be known, unless listed.
 *
 * Usage: disasm [SEED]
 */
#include <dlfcn.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../gcn/program.h"

/* LLVM's C API, of which the headers are another 40 MB */
typedef void *create_fn(const char *triple, const char *cpu, void *info, int tag,
			void *get_info, void *lookup);
typedef size_t insn_text_fn(void *context, u8 *bytes, u64 size, u64 pc, char *out,
			    size_t out_size);

typedef void init_fn(void);
typedef void dispose_fn(void *context);

static create_fn *llvm_create;
static insn_text_fn *llvm_insn;
static dispose_fn *llvm_dispose;

/* What is left out on purpose: everything here stops a wave with an error. */
static const char *const left_out[] = {
	"*_f16*", "*_f32*", "*_f64*", "*_f64", "*interp*", "*_src2_*", "ds_gws_*",
	"ds_ordered_count", "ds_append", "ds_consume", "ds_*addtid*", "ds_condxchg32*",
	"*_lds*", "s_buffer_*", "s_store_*", "s_scratch_*", "s_atomic_*", "s_dcache_discard*",
	"s_atc_probe*", "s_cbranch_g_fork", "s_cbranch_i_fork", "s_cbranch_join", "s_rfe*",
	"s_getreg*", "s_setreg*", "s_call_b64", "s_movrel*", "v_movrel*", "s_set_gpr_idx*",
	"s_setvskip", "s_wakeup", "s_setkill", "s_sethalt", "s_sendmsg*", "s_incperflevel",
	"s_decperflevel", "s_ttracedata", "s_cbranch_cdbg*", "s_endpgm_*", "v_qsad*",
	"v_mqsad*", "v_mad_legacy_*16", "v_clrexcp*", "v_screen_partition*", "v_cvt_*norm*",
	"v_cvt_pk*rtz*", "buffer_load*", "buffer_store*", "buffer_atomic*", "scratch_*",
	"v_cmp_class*", "v_cmpx_class*", "v_perm_pk*", "v_mad_mix*", "v_cvt_off*",
};

static bool is_left_out(const char *text)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, " "), text);
	for (size_t k = 0; k < ARRAY_SIZE(left_out); k++)
		if (!fnmatch(left_out[k], name, 0))
			return true;
	return false;
}

/* Fields of an encoding: fixed bits, where the opcode is, and what most often is zero */
struct encoding {
	const char *name;
	u32 fixed[2];
	u32 random[2];		/* bits filled at random */
	u32 rare[2];		/* filled at random now and then */
	unsigned int shift, bits;	/* of the opcode */
};

static const struct encoding encodings[] = {
	{ "SOP2", { 0x80000000 }, { 0x007fffff, ~0U }, { 0 }, 23, 7 },
	{ "SOPK", { 0xb0000000 }, { 0x007fffff, ~0U }, { 0 }, 23, 5 },
	{ "SOP1", { 0xbe800000 }, { 0x007f00ff, ~0U }, { 0 }, 8, 8 },
	{ "SOP1/d", { 0xbe800000 }, { 0x007f0000 }, { 0 }, 8, 8 },
	{ "SOP1/s", { 0xbe800000 }, { 0x000000ff }, { 0 }, 8, 8 },
	{ "SOPC", { 0xbf000000 }, { 0x0000ffff, ~0U }, { 0 }, 16, 7 },
	{ "SOPP", { 0xbf800000 }, { 0 }, { 0x0000ffff }, 16, 7 },
	{ "SMEM", { 0xc0000000 }, { 0x00021fff, 0x1fffff }, { 0x0001c000, ~0U }, 18, 8 },
	{ "SMEM/d", { 0xc0000000 }, { 0x00001fc0 }, { 0 }, 18, 8 },
	{ "SMEM/0", { 0xc0000000 }, { 0 }, { 0 }, 18, 8 },
	{ "VOP2", { 0x00000000 }, { 0x01ffffff, ~0U }, { 0 }, 25, 6 },
	{ "VOP1", { 0x7e000000 }, { 0x01fe01ff, ~0U }, { 0 }, 9, 8 },
	{ "VOP1/0", { 0x7e000000 }, { 0 }, { 0 }, 9, 8 },
	{ "VOPC", { 0x7c000000 }, { 0x0001ffff, ~0U }, { 0 }, 17, 8 },
	{ "SDWA2", { 0x000000f9 }, { 0x01fffe00, 0x0f070fff }, { 0, ~0U }, 25, 6 },
	{ "SDWA1", { 0x7e0000f9 }, { 0x01fe0000, 0x000f1fff }, { 0, ~0U }, 9, 8 },
	{ "SDWAC", { 0x7c0000f9 }, { 0x0001fe00, 0x0f07ffff }, { 0, ~0U }, 17, 8 },
	{ "DPP2", { 0x000000fa }, { 0x01fffe00, 0xff0800ff }, { 0, 0x1ff00 }, 25, 6 },
	{ "DPP1", { 0x7e0000fa }, { 0x01fe0000, 0xff0800ff }, { 0, 0x1ff00 }, 9, 8 },
	{ "VOP3", { 0xd0000000 }, { 0x000000ff, 0x07ffffff }, { 0xff00, 0xf8000000 }, 16, 10 },
	{ "VOP3/2", { 0xd0000000 }, { 0x000000ff, 0x0003ffff }, { 0xff00, 0 }, 16, 10 },
	{ "VOP3/1", { 0xd0000000 }, { 0x000000ff, 0x000001ff }, { 0xff00, 0 }, 16, 10 },
	{ "VOP3P", { 0xd3804000, 0x18000000 }, { 0x000000ff, 0x07ffffff },
		{ 0x00007800, 0x18000000 }, 16, 7 },
	{ "DS", { 0xd8000000 }, { 0x0000ffff, ~0U }, { 0x00010000 }, 17, 8 },
	{ "DS/w", { 0xd8000000 }, { 0x0000ffff, 0x0000ffff }, { 0 }, 17, 8 },
	{ "DS/w2", { 0xd8000000 }, { 0x0000ffff, 0x00ffffff }, { 0 }, 17, 8 },
	{ "DS/r", { 0xd8000000 }, { 0x0000ffff, 0xff0000ff }, { 0 }, 17, 8 },
	{ "DS/rw", { 0xd8000000 }, { 0x0000ffff, 0xff00ffff }, { 0 }, 17, 8 },
	{ "FLAT", { 0xdc000000 }, { 0x00030000, 0xff00ffff }, { 0x0000ffff, ~0U }, 18, 7 },
	{ "FLAT/l", { 0xdc000000 }, { 0x00030000, 0xff0000ff }, { 0x0fff }, 18, 7 },
	{ "FLAT/s", { 0xdc000000 }, { 0x00020000, 0x0000ffff }, { 0x0fff }, 18, 7 },
	{ "GLOBAL", { 0xdc008000 }, { 0x00031fff, 0xff7fffff }, { 0 }, 18, 7 },
	{ "GLOBAL/l", { 0xdc008000 }, { 0x00031fff, 0xff7f00ff }, { 0 }, 18, 7 },
	{ "GLOBAL/s", { 0xdc008000 }, { 0x00021fff, 0x007fffff }, { 0 }, 18, 7 },
	{ "GLOBAL/o", { 0xdc008000, 0x007f0000 }, { 0x00031fff, 0xff00ffff }, { 0 }, 18, 7 },
	{ "MUBUF", { 0xe0000000 }, { 0 }, { 0x0003ffff, ~0U }, 18, 7 },
};

static u64 state;

static u32 rnd(void)
{
	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (u32)(state >> 32);
}

/* Operands that are likelier to be valid than any number */
static u32 plausible(u32 mask)
{
	u32 x = rnd();

	/* Mostly register numbers that pairs and quads may start at */
	if (rnd() & 1)
		x &= 0xfcfcfcfc;
	return x & mask;
}

static void fill(const struct encoding *e, unsigned int op, u32 *words)
{
	for (unsigned int k = 0; k < 2; k++) {
		words[k] = e->fixed[k] | plausible(e->random[k]);
		if (!(rnd() & 7))
			words[k] ^= rnd() & e->rare[k];
	}
	words[0] |= op << e->shift;
	/* A sub-encoding's marker, and vector registers in VOP3, are rare otherwise. */
	if (!strncmp(e->name, "DPP", 3)) {
		static const u16 ctrls[] = {
			0x00, 0xe4, 0x1b, 0xff, 0x101, 0x10f, 0x111, 0x11f, 0x121, 0x12f,
			0x130, 0x134, 0x138, 0x13c, 0x140, 0x141, 0x142, 0x143
		};
		words[1] |= (u32)ctrls[rnd() % ARRAY_SIZE(ctrls)] << 8;
	}
	if (!strncmp(e->name, "VOP3", 4) && rnd() & 3)
		words[1] |= 0x100 | (e->random[1] >> 9 & 0x100) << 9 |
			    (e->random[1] >> 18 & 0x100) << 18;
}

static void squeeze(char *text)
{
	char *to = text;

	for (char *from = text; *from; from++) {
		if (*from == '\t')
			*from = ' ';
		if (*from == ' ' && (to == text || to[-1] == ' '))
			continue;
		*to++ = *from;
	}
	*to = 0;
	/* We do not print the names that LLVM has for these. */
	to = strstr(text, " offset:");
	if (!strncmp(text, "ds_swizzle", 10) && to)
		*to = 0;
}

/* Nearly all that there were when this was written, counting each encoding's */
enum { MNEMONICS = 880 };

struct tally {
	unsigned long compared, wrong;
};

static struct mnemonic {
	char name[32];
	unsigned int compared, wrong, missing;
	char example[320];
} seen[1024];
static unsigned int nr_seen;

static struct mnemonic *mnemonic(const char *text)
{
	struct mnemonic *m;
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, " "), text);
	for (m = seen; m < seen + nr_seen; m++)
		if (!strcmp(m->name, name))
			return m;
	if (nr_seen < ARRAY_SIZE(seen))
		nr_seen++;
	m = &seen[nr_seen - 1];
	strcpy(m->name, name);
	return m;
}

static void compare(void *context, enum gcn_gen gen, const char *cpu, const u32 *words,
		    struct tally *t)
{
	char ours[128], theirs[256] = "";
	unsigned int length = gcn_print(gen, words, 2, ours, sizeof(ours));
	u32 first = words[0];
	struct mnemonic *m;
	size_t bytes;

	/* LLVM does not survive what SDWA cannot select. */
	if (!length && first < 0x80000000 && (first & 511) == SDWA)
		return;
	bytes = llvm_insn(context, (u8 *)(uintptr_t)words, 8, 0, theirs, sizeof(theirs));
	squeeze(ours);
	squeeze(theirs);
	if (!length) {
		if (!bytes || strstr(theirs, "/*") || is_left_out(theirs))
			return;
		/* What has no meaning may be refused, but not all of a kind. */
		m = mnemonic(theirs);
		if (!m->missing++)
			snprintf(m->example, sizeof(m->example), "%s %08x %08x: %s", cpu,
				 first, words[1], theirs);
		return;
	}
	t->compared++;
	m = mnemonic(ours);
	m->compared++;
	if (bytes == 4 * length && !strcmp(ours, theirs))
		return;
	t->wrong++;
	if (m->wrong++ < 2)
		printf("# %s %08x %08x: %u dwords of '%s', LLVM %zu bytes of '%s'\n",
		       cpu, first, words[1], length, ours, bytes, theirs);
}

static bool load_llvm(void)
{
	static const char *const files[] = {
		"libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so"
	};
	static const char *const inits[] = {
		"LLVMInitializeAMDGPUTargetInfo", "LLVMInitializeAMDGPUTargetMC",
		"LLVMInitializeAMDGPUDisassembler"
	};
	void *lib = NULL;

	for (size_t k = 0; k < ARRAY_SIZE(files) && !lib; k++)
		lib = dlopen(files[k], RTLD_NOW);
	if (!lib)
		return false;
	for (size_t k = 0; k < ARRAY_SIZE(inits); k++) {
		init_fn *init = (init_fn *)dlsym(lib, inits[k]);

		if (!init)
			return false;
		init();
	}
	llvm_create = (create_fn *)dlsym(lib, "LLVMCreateDisasmCPU");
	llvm_insn = (insn_text_fn *)dlsym(lib, "LLVMDisasmInstruction");
	llvm_dispose = (dispose_fn *)dlsym(lib, "LLVMDisasmDispose");
	return llvm_create && llvm_insn && llvm_dispose;
}

int main(int argc, char **argv)
{
	static const struct { const char *cpu; enum gcn_gen gen; } chips[] = {
		{ "gfx801", GFX8 }, { "gfx803", GFX8 }, { "gfx900", GFX9 }, { "gfx90c", GFX9 },
	};
	unsigned int test = 0, failed = 0, known = 0, unknown = 0;

	state = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;
	printf("KTAP version 1\n");
	if (!load_llvm()) {
		printf("1..0 # SKIP no libLLVM 19\n");
		return 0;
	}
	printf("1..%zu\n", ARRAY_SIZE(chips) + 1);
	for (size_t c = 0; c < ARRAY_SIZE(chips); c++) {
		void *context = llvm_create("amdgcn-amd-amdhsa", chips[c].cpu, NULL, 0, NULL, NULL);
		struct tally t = { 0 };

		for (size_t e = 0; e < ARRAY_SIZE(encodings); e++)
			for (unsigned int op = 0; op < 1U << encodings[e].bits; op++)
				for (unsigned int n = 0; n < 32; n++) {
					u32 words[2];

					fill(&encodings[e], op, words);
					compare(context, chips[c].gen, chips[c].cpu, words, &t);
				}
		printf("# %s: %lu encodings compared, %lu wrong\n", chips[c].cpu, t.compared,
		       t.wrong);
		printf("%s %u %s decodes as LLVM does\n", t.wrong ? "not ok" : "ok", ++test,
		       chips[c].cpu);
		failed += t.wrong != 0;
		llvm_dispose(context);
	}
	for (unsigned int k = 0; k < nr_seen; k++) {
		const struct mnemonic *m = &seen[k];

		known += m->compared != 0;
		if (m->compared || !m->missing)
			continue;
		printf("# only LLVM knows %s\n", m->example);
		unknown++;
	}
	printf("# %u mnemonics\n", known);
	printf("%s %u every integer instruction is known\n",
	       unknown || known < MNEMONICS ? "not ok" : "ok", ++test);
	return failed || unknown || known < MNEMONICS ? 1 : 0;
}
