// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "elf.h"
#include "report.h"

/* What <elf.h> does not know */
enum {
	OSABI_AMDGPU_HSA = 64,
	ABIVERSION_V4 = 2,
	ABIVERSION_V5 = 3,
	MACHINE_AMDGPU = 224,
	NT_AMDGPU_METADATA = 32,
	FLAGS_MACH = 0xff,
	FLAGS_XNACK = 0x300,
	FLAGS_XNACK_OFF = 0x200,
	FLAGS_XNACK_ON = 0x300,
	R_AMDGPU_ABS32_LO = 1,
	R_AMDGPU_ABS32_HI = 2,
	R_AMDGPU_ABS64 = 3,
	R_AMDGPU_REL32 = 4,
	R_AMDGPU_REL64 = 5,
	R_AMDGPU_ABS32 = 6,
	R_AMDGPU_REL32_LO = 10,
	R_AMDGPU_REL32_HI = 11,
	R_AMDGPU_RELATIVE64 = 13,
	KERNEL_DESCRIPTOR_SIZE = 64,
	PAGE = 4096,
};

/* A file, and what is where in it */
struct file {
	const u8 *bytes;
	size_t size;
	const Elf64_Ehdr *header;
	const Elf64_Phdr *segments;
	const Elf64_Shdr *sections;
	const Elf64_Sym *symbols;
	u64 nr_symbols;
	const char *strings;
	u64 strings_size;
	const u8 *note;
	size_t note_size;
};

static const void *within(const struct file *f, u64 offset, u64 size)
{
	return offset <= f->size && size <= f->size - offset ? f->bytes + offset : NULL;
}

/* The metadata, from a segment of notes */
static void find_note(struct file *f, const Elf64_Phdr *segment)
{
	const u8 *at = within(f, segment->p_offset, segment->p_filesz);
	u64 left = segment->p_filesz;

	while (at && left >= sizeof(Elf64_Nhdr)) {
		const Elf64_Nhdr *n = (const Elf64_Nhdr *)(const void *)at;
		u64 name = (n->n_namesz + 3ULL) & ~3ULL, desc = (n->n_descsz + 3ULL) & ~3ULL;

		if (sizeof(*n) + name + desc > left)
			return;
		if (n->n_type == NT_AMDGPU_METADATA && n->n_namesz == 7 &&
		    !memcmp(at + sizeof(*n), "AMDGPU", 7)) {
			f->note = at + sizeof(*n) + name;
			f->note_size = n->n_descsz;
		}
		at += sizeof(*n) + name + desc;
		left -= sizeof(*n) + name + desc;
	}
}

static bool open_file(struct file *f, const u8 *bytes, size_t size)
{
	memset(f, 0, sizeof(*f));
	f->bytes = bytes;
	f->size = size;
	f->header = within(f, 0, sizeof(*f->header));
	if (!f->header || memcmp(f->header->e_ident, ELFMAG, SELFMAG) ||
	    f->header->e_ident[EI_CLASS] != ELFCLASS64 ||
	    f->header->e_ident[EI_DATA] != ELFDATA2LSB ||
	    f->header->e_ident[EI_OSABI] != OSABI_AMDGPU_HSA ||
	    f->header->e_machine != MACHINE_AMDGPU || f->header->e_type != ET_DYN)
		return false;
	f->segments = within(f, f->header->e_phoff, f->header->e_phnum * sizeof(*f->segments));
	f->sections = within(f, f->header->e_shoff, f->header->e_shnum * sizeof(*f->sections));
	if (!f->segments || !f->sections)
		return false;
	for (unsigned int k = 0; k < f->header->e_phnum; k++)
		if (f->segments[k].p_type == PT_NOTE)
			find_note(f, &f->segments[k]);
	for (unsigned int k = 0; k < f->header->e_shnum; k++) {
		const Elf64_Shdr *s = &f->sections[k], *strings;

		if (s->sh_type != SHT_DYNSYM || s->sh_link >= f->header->e_shnum)
			continue;
		strings = &f->sections[s->sh_link];
		f->symbols = within(f, s->sh_offset, s->sh_size);
		f->nr_symbols = s->sh_size / sizeof(*f->symbols);
		f->strings = within(f, strings->sh_offset, strings->sh_size);
		f->strings_size = strings->sh_size;
	}
	return f->symbols && f->strings && f->strings_size && !f->strings[f->strings_size - 1];
}

static bool for_agent(const struct file *f, const struct chip *chip)
{
	u32 flags = f->header->e_flags, xnack = flags & FLAGS_XNACK;

	if ((flags & FLAGS_MACH) != chip->mach)
		return false;
	if (xnack == FLAGS_XNACK_ON)
		return chip->xnack == XNACK_ON;
	return xnack != FLAGS_XNACK_OFF || chip->xnack == XNACK_OFF;
}

/* Memory for all segments, as far apart as they want to be, and filled */
static bool map_segments(const struct file *f, struct code *c)
{
	u64 end = 0;

	for (unsigned int k = 0; k < f->header->e_phnum; k++) {
		const Elf64_Phdr *p = &f->segments[k];

		if (p->p_type != PT_LOAD)
			continue;
		if (!within(f, p->p_offset, p->p_filesz) || p->p_filesz > p->p_memsz ||
		    p->p_vaddr > 1 << 30 || p->p_memsz > 1 << 30)
			return false;
		if (p->p_vaddr + p->p_memsz > end)
			end = p->p_vaddr + p->p_memsz;
	}
	if (!end)
		return false;
	c->size = (end + PAGE - 1) / PAGE * PAGE;
	c->memory = mmap(NULL, c->size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
			 -1, 0);
	if (c->memory == MAP_FAILED) {
		c->memory = NULL;
		return false;
	}
	for (unsigned int k = 0; k < f->header->e_phnum; k++) {
		const Elf64_Phdr *p = &f->segments[k];

		if (p->p_type == PT_LOAD)
			memcpy(c->memory + p->p_vaddr, f->bytes + p->p_offset, p->p_filesz);
	}
	return true;
}

static bool relocate(const struct file *f, struct code *c, const Elf64_Rela *r)
{
	u64 base = (u64)(uintptr_t)c->memory, symbol = ELF64_R_SYM(r->r_info), value = 0, place;
	unsigned int size = 4;

	if (symbol >= f->nr_symbols || r->r_offset > c->size - 8)
		return false;
	if (symbol) {
		if (f->symbols[symbol].st_shndx == SHN_UNDEF)
			return false;
		value = base + f->symbols[symbol].st_value;
	}
	place = base + r->r_offset;
	value += (u64)r->r_addend;
	switch (ELF64_R_TYPE(r->r_info)) {
	case R_AMDGPU_ABS32_LO:
		break;
	case R_AMDGPU_ABS32_HI:
		value >>= 32;
		break;
	case R_AMDGPU_ABS32:
		if (value >> 32)
			return false;
		break;
	case R_AMDGPU_ABS64:
		size = 8;
		break;
	case R_AMDGPU_REL32:
	case R_AMDGPU_REL32_LO:
		value -= place;
		break;
	case R_AMDGPU_REL32_HI:
		value = (value - place) >> 32;
		break;
	case R_AMDGPU_REL64:
		value -= place;
		size = 8;
		break;
	case R_AMDGPU_RELATIVE64:
		value += base;
		size = 8;
		break;
	default:
		return false;
	}
	memcpy(c->memory + r->r_offset, &value, size);
	return true;
}

static bool relocate_all(const struct file *f, struct code *c)
{
	for (unsigned int k = 0; k < f->header->e_shnum; k++) {
		const Elf64_Shdr *s = &f->sections[k];
		const Elf64_Rela *r;

		if (s->sh_type != SHT_RELA || !(s->sh_flags & SHF_ALLOC))
			continue;
		r = within(f, s->sh_offset, s->sh_size);
		if (!r)
			return false;
		for (u64 n = 0; n < s->sh_size / sizeof(*r); n++)
			if (!relocate(f, c, &r[n]))
				return false;
	}
	return true;
}

/* What the agent sees of it: each segment with the rights that it asks for */
static bool show(const struct file *f, struct code *c)
{
	for (unsigned int k = 0; k < f->header->e_phnum; k++) {
		const Elf64_Phdr *p = &f->segments[k];
		u64 base = (u64)(uintptr_t)c->memory + p->p_vaddr;

		if (p->p_type != PT_LOAD || !p->p_memsz)
			continue;
		if (c->nr_segments == ARRAY_SIZE(c->segments))
			return false;
		if (!aspace_add(&c->agent->aspace, base, c->memory + p->p_vaddr, p->p_memsz,
				p->p_flags & PF_W ? REGION_WRITE : 0, "a code object"))
			return false;
		c->segments[c->nr_segments++].base = base;
		if (!(p->p_flags & PF_X) || c->program)
			continue;
		c->program = program_create(c->agent->chip->gen, base,
					    (const u32 *)(const void *)(c->memory + p->p_vaddr),
					    (u32)(p->p_memsz / 4));
		if (!c->program)
			return false;
	}
	return c->program;
}

static u32 get32(const u8 *p, unsigned int offset)
{
	u32 x;

	memcpy(&x, p + offset, sizeof(x));
	return x;
}

static bool read_kernel(const struct file *f, struct code *c, const Elf64_Sym *s, struct kernel *k)
{
	const u8 *d = c->memory + s->st_value;
	bool gfx9 = c->program->gen == GFX9;
	u64 entry;
	s64 offset;
	u32 rsrc1;

	snprintf(k->name, sizeof(k->name), "%s", f->strings + s->st_name);
	k->code = c;
	k->object = (u64)(uintptr_t)d;
	k->group_fixed = get32(d, 0);
	k->private_fixed = get32(d, 4);
	k->kernarg_size = get32(d, 8);
	memcpy(&offset, d + 16, sizeof(offset));
	rsrc1 = get32(d, 48);
	k->rsrc2 = get32(d, 52);
	k->properties = (u16)get32(d, 56);
	k->vregs = (u16)(((rsrc1 & 63) + 1) * 4);
	k->sregs = gfx9 ? (u16)(((rsrc1 >> 6 & 15) / 2 + 1) * 16) :
		   (u16)(((rsrc1 >> 6 & 15) + 1) * 8);
	entry = k->object + (u64)offset;
	if (entry - c->program->base >= 4ULL * c->program->nr || entry % 256)
		return false;
	k->entry = (u32)((entry - c->program->base) / 4);
	/* What there is no metadata on has no limits. */
	if (!note_find(f->note, f->note_size, k->name, &k->note))
		memset(&k->note, 0, sizeof(k->note));
	return true;
}

static bool is_kernel(const struct file *f, const struct code *c, const Elf64_Sym *s)
{
	const char *name = f->strings + s->st_name;
	size_t length;

	if (s->st_name >= f->strings_size || ELF64_ST_TYPE(s->st_info) != STT_OBJECT ||
	    s->st_size != KERNEL_DESCRIPTOR_SIZE || s->st_value > c->size - 64)
		return false;
	length = strlen(name);
	return length > 3 && !strcmp(name + length - 3, ".kd");
}

static bool read_kernels(const struct file *f, struct code *c)
{
	c->kernels = calloc(f->nr_symbols, sizeof(*c->kernels));
	if (!c->kernels)
		return false;
	for (u64 n = 1; n < f->nr_symbols; n++) {
		if (!is_kernel(f, c, &f->symbols[n]))
			continue;
		if (!read_kernel(f, c, &f->symbols[n], &c->kernels[c->nr_kernels]))
			return false;
		c->nr_kernels++;
	}
	return true;
}

hsa_status_t elf_load(struct agent *agent, const u8 *bytes, size_t size, struct code **code)
{
	struct code *c;
	struct file f;

	if (!open_file(&f, bytes, size))
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	/* What the interpreter was tested with */
	if (f.header->e_ident[EI_ABIVERSION] != ABIVERSION_V4 &&
	    f.header->e_ident[EI_ABIVERSION] != ABIVERSION_V5)
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	if (!for_agent(&f, agent->chip))
		return HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS;
	c = calloc(1, sizeof(*c));
	if (!c)
		return HSA_STATUS_ERROR_OUT_OF_RESOURCES;
	c->agent = agent;
	if (!map_segments(&f, c) || !relocate_all(&f, c) || !show(&f, c) || !read_kernels(&f, c)) {
		elf_unload(c, "a load that failed");
		return HSA_STATUS_ERROR_INVALID_CODE_OBJECT;
	}
	*code = c;
	return HSA_STATUS_SUCCESS;
}

static void write_stats(const struct kernel *k)
{
	char line[256];

	snprintf(line, sizeof(line),
		 "%s %s dispatches=%lu items=%lu salu=%lu branch=%lu smem=%lu valu=%lu vmem=%lu lds=%lu wait=%lu vgprs=%u",
		 k->code->agent->chip->gfx, k->name, k->dispatches, k->items,
		 k->count[CLASS_SALU], k->count[CLASS_BRANCH], k->count[CLASS_SMEM],
		 k->count[CLASS_VALU], k->count[CLASS_VMEM], k->count[CLASS_LDS],
		 k->count[CLASS_WAIT], k->vregs);
	report_append("HSA_EMU_STATS", line);
}

void elf_unload(struct code *code, const char *how)
{
	for (unsigned int k = 0; k < code->nr_kernels; k++)
		if (code->kernels[k].dispatches)
			write_stats(&code->kernels[k]);
	for (unsigned int k = 0; k < code->nr_segments; k++)
		aspace_remove(&code->agent->aspace, code->segments[k].base, how);
	if (code->program)
		program_destroy(code->program);
	if (code->memory)
		munmap(code->memory, code->size);
	free(code->kernels);
	free(code);
}
