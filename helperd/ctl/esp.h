/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * ESP packets (RFC 4303) made and opened by OpenSSL's libcrypto, which has nothing
 * to do with what the kernel and the daemon use.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_ESP_H
#define WAVECRYPT_CTL_ESP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "channel/alg.h"

/** ESP_SALT - bytes of a nonce that are the key's (RFCs 3686, 4106, 7634) */
#define ESP_SALT	4

/** ESP_HMAC_MAX - bytes of the longest HMAC key (RFC 4868) */
#define ESP_HMAC_MAX	64

/** ESP_MORE - most bytes by which a packet is longer than its payload */
#define ESP_MORE	128

/**
 * struct esp_sa - one direction of an SA
 * @alg: &enum wavecrypt_alg
 * @key_len: bytes of the cipher's key
 * @key: that, and the salt behind it if there is one
 * @hmac: the HMAC's key, as long as the hash
 * @esn: extended sequence numbers
 * @spi: SPI
 * @seq: sequence number of the last packet
 */
struct esp_sa {
	unsigned int alg;
	unsigned int key_len;
	uint8_t key[ALG_KEY_MAX + ESP_SALT];
	uint8_t hmac[ESP_HMAC_MAX];
	bool esn;
	uint32_t spi;
	uint64_t seq;
};

/** esp_is_aead - one algorithm with one key, not a cipher and an HMAC */
bool esp_is_aead(unsigned int alg);

/** esp_salt_len - bytes of salt, or 0 */
unsigned int esp_salt_len(unsigned int alg);

/** esp_icv_len - bytes of ICV that are sent */
unsigned int esp_icv_len(unsigned int alg);

/**
 * esp_seal - make the SA's next packet
 * @sa: the SA
 * @packet: where to, with room for ESP_MORE bytes more than the payload
 * @payload: of the transport protocol
 * @len: its length
 * @protocol: which that is
 *
 * Return: length of the packet; 0: libcrypto has failed.
 */
size_t esp_seal(struct esp_sa *sa, uint8_t *packet, const void *payload,
		size_t len, uint8_t protocol);

/**
 * esp_open - open what has to be the SA's next packet, in place
 * @sa: the SA
 * @packet: from its SPI on; there is room for 4 bytes behind it
 * @len: its length
 * @payload_len: where to put how much is in it
 * @protocol: which that has to be of
 *
 * Return: the payload; NULL: it is another packet, or not as it should be.
 */
const uint8_t *esp_open(struct esp_sa *sa, uint8_t *packet, size_t len,
			size_t *payload_len, uint8_t protocol);

#endif
