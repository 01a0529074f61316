// SPDX-License-Identifier: GPL-2.0-only
/*
 * Packets as they lie in the arena.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "gpu.h"

void wavecrypt_gpu_packet_init(struct wavecrypt_gpu_packet *packet,
			       const struct wavecrypt_desc *desc)
{
	packet->data = desc->data;
	packet->key = desc->key;
	packet->len = desc->len;
	packet->aad_len = desc->aad_len;
	packet->seq_hi_len = desc->auth_len ? desc->auth_len - desc->aad_len - desc->len : 0;
	packet->seq_hi = desc->seq_hi;
	memcpy(packet->iv, desc->iv, sizeof(packet->iv));
}
