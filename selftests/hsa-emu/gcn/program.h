/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * The instructions of one code object, decoded as they are first reached
 */
#ifndef GCN_PROGRAM_H
#define GCN_PROGRAM_H

#include <pthread.h>

#include "insn.h"

/**
 * struct program - executable code
 * @gen: the generation that it is for
 * @base: where the agent sees @words
 * @words: the machine code
 * @nr: how many dwords that is
 * @insns: one for each dword; those that were never jumped to stay empty
 * @end: stands behind the last instruction and says so when it is reached
 */
struct program {
	enum gcn_gen gen;
	u64 base;
	const u32 *words;
	u32 nr;
	struct insn *insns;
	struct insn end;
	struct literal *literals;
	pthread_mutex_t lock;
};

/**
 * program_create() - get ready to execute code
 * @gen: which generation's
 * @base: address that the code has for itself
 * @words: the code; must stay there, unchanged
 * @nr: dwords of it
 *
 * Return: the program, or NULL without memory
 */
struct program *program_create(enum gcn_gen gen, u64 base, const u32 *words, u32 nr);

/**
 * program_destroy() - free a program that no wave executes any more
 * @p: the program
 */
void program_destroy(struct program *p);

/**
 * program_insn() - look up, and decode if need be
 * @p: the program
 * @at: where in it, in dwords
 *
 * Never fails: what cannot be decoded is an instruction that stops the wave.
 *
 * Return: the instruction
 */
const struct insn *program_insn(struct program *p, u32 at);

/**
 * program_literal() - a literal constant as an operand of vector instructions
 * @p: the program, which keeps it
 * @value: the constant
 *
 * Return: @value once for each lane, or NULL without memory
 */
const u32 *program_literal(struct program *p, u32 value);

/**
 * gcn_print() - disassemble, in the words of LLVM's assembler
 * @gen: which generation's code
 * @words: an instruction, two dwords of it at most
 * @nr: how many dwords there are
 * @buf: for the text
 * @size: of @buf
 *
 * Return: the instruction's length in dwords, or 0 if there is none such
 */
unsigned int gcn_print(enum gcn_gen gen, const u32 *words, unsigned int nr, char *buf,
		       size_t size);

#endif
