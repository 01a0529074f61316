/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * One decoder for each family of encodings
 *
 * A decoder finds the dwords in i->word, fills in the rest of it, and returns
 * false if it does not know the instruction: better stop than guess.
 */
#ifndef GCN_ENCODINGS_H
#define GCN_ENCODINGS_H

#include "program.h"

bool decode_salu(struct program *p, struct insn *i);	/* SOP1, SOP2, SOPC, SOPK */
bool decode_sopp(struct program *p, struct insn *i);
bool decode_smem(struct program *p, struct insn *i);
bool decode_valu(struct program *p, struct insn *i);	/* VOP1, VOP2, VOPC, VOP3, VOP3P */
bool decode_ds(struct program *p, struct insn *i);
bool decode_flat(struct program *p, struct insn *i);
bool decode_mubuf(struct program *p, struct insn *i);

#endif
