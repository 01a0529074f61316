/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A directory of files that only we may have written.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_BACKENDS_OPENCL_CACHE_H
#define WAVECRYPT_BACKENDS_OPENCL_CACHE_H

#include <stddef.h>
#include <stdint.h>

/**
 * cache_load - what is kept under a key
 * @dir: directory
 * @key: the key, any text; its hash names the file, which holds it, too
 * @size: set to the size
 *
 * Return: the contents, to be freed, or NULL.
 */
uint8_t *cache_load(const char *dir, const char *key, size_t *size);

/**
 * cache_store - keep something
 * @dir: directory; made if there is none
 * @key: under which key
 * @data: what
 * @size: its size
 */
void cache_store(const char *dir, const char *key, const uint8_t *data,
		 size_t size);

/** cache_hash - 64 bits of a text: FNV-1a */
uint64_t cache_hash(const char *text);

#endif
