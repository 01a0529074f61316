/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernels compiled for a device, kept on disk: compiling them takes seconds.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_PROGRAM_H
#define WAVECRYPT_BACKENDS_OPENCL_PROGRAM_H

#include "backends/opencl/device.h"

/**
 * opencl_program - compile them, or take them from the cache
 * @context: for which context
 * @dev: for which device, the only one of the context
 * @options: for the compiler
 * @cache: directory of the cache; "" for none
 * @why: set to what went wrong, if it did
 *
 * A cache that cannot be used, or does not hold what is wanted, costs time and
 * nothing else. A file is only believed if it, and the directory, belong to the
 * user that we are, and nobody else may write to them.
 *
 * Return: the program, or NULL.
 */
cl_program opencl_program(cl_context context, const struct opencl_device *dev,
			  const char *options, const char *cache,
			  const char **why);

#endif
