/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * Operands: which there are, what constants they stand for, what they are called
 */
#ifndef GCN_OPERAND_H
#define GCN_OPERAND_H

#include "insn.h"

/* How an operand is read, which decides what a constant means for it */
enum width {
	W0,		/* no operand */
	W16,
	W32,
	W64,		/* literals are zero-extended */
	W64S,		/* literals are sign-extended */
	W96,
	W128,
};

/**
 * width_dwords() - registers that an operand takes
 * @w: how it is read
 */
static inline unsigned int width_dwords(enum width w)
{
	static const u8 dwords[] = { 0, 1, 1, 2, 2, 3, 4 };

	return dwords[w];
}

/**
 * operand_is_inline() - whether it is a constant within the instruction word
 * @code: the operand
 */
static inline bool operand_is_inline(unsigned int code)
{
	return (code >= INLINE_INT && code <= 208) ||
	       (code >= INLINE_FLOAT && code <= 248);
}

/**
 * operand_constant() - the value of an inline or literal constant
 * @code: the operand
 * @w: how it is read
 * @literal: the dword behind the instruction
 */
u64 operand_constant(unsigned int code, enum width w, u32 literal);

/**
 * operand_ok_ssrc() - whether a scalar instruction may read it
 * @gen: in which generation
 * @code: the operand
 * @w: how it is read
 */
bool operand_ok_ssrc(enum gcn_gen gen, unsigned int code, enum width w);

/**
 * operand_ok_sdst() - whether a scalar instruction may write it
 * @code: the register
 * @w: how many of them
 */
bool operand_ok_sdst(unsigned int code, enum width w);

/**
 * operand_print() - append an operand's name
 * @buf: text so far
 * @size: of @buf
 * @code: the operand
 * @w: how it is read
 * @literal: the dword behind the instruction
 */
void operand_print(char *buf, size_t size, unsigned int code, enum width w, u32 literal);

/**
 * append() - printf() at the end of what is there
 * @buf: text so far
 * @size: of @buf
 * @fmt: as of printf()
 */
void append(char *buf, size_t size, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

#endif
