/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Project Wycheproof's vectors: those that are right, and those that only look so.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef HOST_WYCHEPROOF_H
#define HOST_WYCHEPROOF_H

#include "vectors.h"

/**
 * wycheproof_read - the vectors of HMAC and ChaCha20-Poly1305 that a packet can be
 * @dir: its files of JSON
 * @nr: where to say how many there are
 *
 * They stay until the program ends.
 *
 * Return: the vectors, or NULL and a message on standard output.
 */
const struct vector *wycheproof_read(const char *dir, unsigned int *nr);

#endif
