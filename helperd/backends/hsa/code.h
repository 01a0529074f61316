/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels as machine code: a file for each instruction set, made when the
 * daemon was built.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_HSA_CODE_H
#define WAVECRYPT_BACKENDS_HSA_CODE_H

#include "backends/hsa/api.h"

/**
 * struct hsa_kernel - a kernel, ready to be dispatched
 * @object: its descriptor
 * @arguments: bytes of arguments
 * @local: bytes of local memory
 * @private: bytes of private memory for each work-item
 */
struct hsa_kernel {
	uint64_t object;
	uint32_t arguments;
	uint32_t local;
	uint32_t private;
};

/**
 * struct hsa_code - a loaded code object
 * @reader: of the file
 * @executable: what was made of it
 * @data: the file's contents
 * @batch: does the groups that there are
 * @persistent: waits for more
 */
struct hsa_code {
	hsa_code_object_reader_t reader;
	hsa_executable_t executable;
	void *data;
	struct hsa_kernel batch;
	struct hsa_kernel persistent;
};

/**
 * hsa_code_missing - is there none for an instruction set?
 * @dir: where they are
 * @gfx: instruction set
 *
 * Return: NULL, or why it cannot be used, naming the file.
 */
const char *hsa_code_missing(const char *dir, const char *gfx);

/**
 * hsa_code_load - load it
 * @code: result; to be unloaded even if this fails
 * @agent: for which GPU
 * @dir: where they are
 * @gfx: its instruction set
 *
 * Return: NULL, or what went wrong.
 */
const char *hsa_code_load(struct hsa_code *code, hsa_agent_t agent,
			  const char *dir, const char *gfx);

/** hsa_code_unload - the reverse */
void hsa_code_unload(struct hsa_code *code);

#endif
