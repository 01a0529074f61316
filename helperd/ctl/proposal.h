/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_PROPOSAL_H
#define WAVECRYPT_CTL_PROPOSAL_H

#include <stdbool.h>
#include <stddef.h>

/** AEAD_NAME - room for aead_name() */
#define AEAD_NAME	128

/**
 * aead_name - what ESP asks the crypto API for
 * @name: where to put it
 * @algorithm: &alg.name, which is without extended sequence numbers
 * @esn: with them
 *
 * Return: @name.
 */
const char *aead_name(char name[AEAD_NAME], const char *algorithm, bool esn);

/**
 * proposal_name - what swanctl.conf's esp_proposals calls an algorithm
 * @name: where to put it, as "aes256-sha512-esn"; empty if it has none there
 * @size: room
 * @algorithm: what ESP asks the crypto API for
 * @key_bits: of the cipher's key
 * @icv_bits: of the ICV, 0 if that is not known
 * @esn: extended sequence numbers
 */
void proposal_name(char *name, size_t size, const char *algorithm,
		   unsigned int key_bits, unsigned int icv_bits, bool esn);

#endif
