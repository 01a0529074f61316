/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A GPU's runtime, found when it is needed: a machine without one runs the daemon
 * too, and a test can put functions that fail in place of its own.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_GPU_LIBRARY_H
#define WAVECRYPT_BACKENDS_GPU_LIBRARY_H

#include <stddef.h>

/**
 * struct gpu_function - one of a library's functions
 * @name: what the library calls it
 * @at: where its address goes in &gpu_library.api
 */
struct gpu_function {
	const char *name;
	size_t at;
};

/**
 * struct gpu_library - a library and what is wanted of it
 * @file: name of its file
 * @what: what it is, for people
 * @api: a structure of pointers to its functions, all NULL before it is there
 * @functions: the functions
 * @nr: how many
 */
struct gpu_library {
	const char *file;
	const char *what;
	void *api;
	const struct gpu_function *functions;
	size_t nr;
};

/**
 * gpu_library_load - find all of a library's functions, unless they are there
 *
 * Return: NULL, or why not. Several threads may be at it.
 */
const char *gpu_library_load(const struct gpu_library *library);

#endif
