// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <arpa/inet.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>
#include <sys/random.h>

#include "ctl/esp.h"

/* SPI and sequence number */
#define HEAD	8

/* Length of the padding, and protocol */
#define TAIL	2

/**
 * struct parts - of a packet
 * @iv: the IV
 * @body: what is encrypted
 * @len: its length
 * @icv: the ICV
 */
struct parts {
	uint8_t *iv;
	uint8_t *body;
	size_t len;
	uint8_t *icv;
};

bool esp_is_aead(unsigned int alg)
{
	return algs[alg].cipher == CIPHER_GCM ||
	       algs[alg].cipher == CIPHER_CHACHA20;
}

unsigned int esp_salt_len(unsigned int alg)
{
	switch (algs[alg].cipher) {
	case CIPHER_CTR:
	case CIPHER_GCM:
	case CIPHER_CHACHA20:
		return ESP_SALT;
	default:
		return 0;
	}
}

/* RFC 2404 has 96 bits; in RFC 4868 it is half of the hash. */
unsigned int esp_icv_len(unsigned int alg)
{
	switch (algs[alg].auth) {
	case AUTH_HMAC_SHA1:
		return 12;
	case AUTH_GHASH:
	case AUTH_POLY1305:
		return 16;
	default:
		return algs[alg].icv_len / 2;
	}
}

static unsigned int iv_len(unsigned int alg)
{
	switch (algs[alg].cipher) {
	case CIPHER_NONE:
		return 0;
	case CIPHER_CBC:
		return 16;
	default:
		return 8;
	}
}

static struct parts parts_of(const struct esp_sa *sa, uint8_t *packet,
			     size_t len)
{
	struct parts p = { .iv = packet + HEAD };

	p.body = p.iv + iv_len(sa->alg);
	p.icv = packet + len - esp_icv_len(sa->alg);
	p.len = p.icv - p.body;
	return p;
}

static const EVP_CIPHER *cipher_of(const struct esp_sa *sa)
{
	unsigned int size = alg_key_size(sa->key_len);
	const EVP_CIPHER *const cbc[] = {
		EVP_aes_128_cbc(), EVP_aes_192_cbc(), EVP_aes_256_cbc(),
	};
	const EVP_CIPHER *const ctr[] = {
		EVP_aes_128_ctr(), EVP_aes_192_ctr(), EVP_aes_256_ctr(),
	};
	const EVP_CIPHER *const gcm[] = {
		EVP_aes_128_gcm(), EVP_aes_192_gcm(), EVP_aes_256_gcm(),
	};

	switch (algs[sa->alg].cipher) {
	case CIPHER_CBC:
		return cbc[size];
	case CIPHER_CTR:
		return ctr[size];
	case CIPHER_GCM:
		return gcm[size];
	default:
		return EVP_chacha20_poly1305();
	}
}

static const EVP_MD *hash_of(const struct esp_sa *sa)
{
	return EVP_get_digestbyname(algs[sa->alg].hash);
}

/* CBC's IV, or a counter block, whose first part is the nonce of an AEAD */
static void set_iv(const struct esp_sa *sa, uint8_t iv[16], const uint8_t *sent)
{
	unsigned int salt = esp_salt_len(sa->alg);

	memset(iv, 0, 16);
	memcpy(iv, sa->key + sa->key_len, salt);
	memcpy(iv + salt, sent, iv_len(sa->alg));
	if (salt)
		iv[15] = 1;
}

static bool run_cipher(const struct esp_sa *sa, const struct parts *p,
		       bool encrypt)
{
	EVP_CIPHER_CTX *ctx;
	uint8_t iv[16];
	bool good;
	int n;

	if (algs[sa->alg].cipher == CIPHER_NONE)
		return true;
	set_iv(sa, iv, p->iv);
	ctx = EVP_CIPHER_CTX_new();
	good = EVP_CipherInit_ex(ctx, cipher_of(sa), NULL, sa->key, iv,
				 encrypt) &&
	       EVP_CIPHER_CTX_set_padding(ctx, 0) &&
	       EVP_CipherUpdate(ctx, p->body, &n, p->body, p->len);
	EVP_CIPHER_CTX_free(ctx);
	return good;
}

/* Authenticated is all that is sent; and the high half of the number, which is not. */
static bool run_hmac(const struct esp_sa *sa, uint8_t *packet,
		     const struct parts *p, uint8_t icv[EVP_MAX_MD_SIZE])
{
	uint32_t high = htonl(sa->seq >> 32);
	size_t len = p->icv - packet;

	if (algs[sa->alg].auth == AUTH_NONE)
		return true;
	if (sa->esn) {
		memcpy(p->icv, &high, sizeof(high));
		len += sizeof(high);
	}
	return HMAC(hash_of(sa), sa->hmac, algs[sa->alg].icv_len, packet, len,
		    icv, NULL);
}

/* The AAD: SPI and sequence number, of whichever length */
static int set_aad(const struct esp_sa *sa, uint8_t aad[12])
{
	uint32_t words[3] = { htonl(sa->spi) };
	int nr = 1;

	if (sa->esn)
		words[nr++] = htonl(sa->seq >> 32);
	words[nr++] = htonl(sa->seq);
	memcpy(aad, words, nr * sizeof(*words));
	return nr * sizeof(*words);
}

/* Return: whether it could be done, and the ICV is good if there is one already. */
static bool run_aead(const struct esp_sa *sa, const struct parts *p,
		     bool encrypt)
{
	EVP_CIPHER_CTX *ctx = EVP_CIPHER_CTX_new();
	int n, aad_len, icv_len = esp_icv_len(sa->alg);
	uint8_t iv[16], aad[12];
	bool good;

	set_iv(sa, iv, p->iv);
	aad_len = set_aad(sa, aad);
	good = EVP_CipherInit_ex(ctx, cipher_of(sa), NULL, sa->key, iv,
				 encrypt) &&
	       (encrypt || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_SET_TAG,
					       icv_len, p->icv)) &&
	       EVP_CipherUpdate(ctx, NULL, &n, aad, aad_len) &&
	       EVP_CipherUpdate(ctx, p->body, &n, p->body, p->len) &&
	       EVP_CipherFinal_ex(ctx, p->icv, &n) &&
	       (!encrypt || EVP_CIPHER_CTX_ctrl(ctx, EVP_CTRL_AEAD_GET_TAG,
						icv_len, p->icv));
	EVP_CIPHER_CTX_free(ctx);
	return good;
}

static bool seal(const struct esp_sa *sa, uint8_t *packet,
		 const struct parts *p)
{
	uint8_t icv[EVP_MAX_MD_SIZE];

	if (esp_is_aead(sa->alg))
		return run_aead(sa, p, true);
	if (!run_cipher(sa, p, true) || !run_hmac(sa, packet, p, icv))
		return false;
	memcpy(p->icv, icv, esp_icv_len(sa->alg));
	return true;
}

static bool unseal(const struct esp_sa *sa, uint8_t *packet,
		   const struct parts *p)
{
	uint8_t sent[EVP_MAX_MD_SIZE], icv[EVP_MAX_MD_SIZE];
	size_t size = esp_icv_len(sa->alg);

	if (esp_is_aead(sa->alg))
		return run_aead(sa, p, false);
	memcpy(sent, p->icv, size);
	return run_hmac(sa, packet, p, icv) && !CRYPTO_memcmp(sent, icv, size) &&
	       run_cipher(sa, p, false);
}

static void put_head(struct esp_sa *sa, uint8_t *packet)
{
	uint32_t head[2] = { htonl(sa->spi), htonl(++sa->seq) };

	memcpy(packet, head, sizeof(head));
}

size_t esp_seal(struct esp_sa *sa, uint8_t *packet, const void *payload,
		size_t len, uint8_t protocol)
{
	/* Four bytes of what follows the header lie in a row at least. */
	size_t block = algs[sa->alg].block > 4 ? algs[sa->alg].block : 4;
	size_t pad = -(len + TAIL) & (block - 1);
	size_t all = HEAD + iv_len(sa->alg) + len + pad + TAIL +
		     esp_icv_len(sa->alg);
	struct parts p = parts_of(sa, packet, all);

	put_head(sa, packet);
	if (getrandom(p.iv, p.body - p.iv, 0) != p.body - p.iv)
		return 0;
	memcpy(p.body, payload, len);
	for (size_t i = 0; i < pad; i++)
		p.body[len + i] = i + 1;
	p.body[p.len - 2] = pad;
	p.body[p.len - 1] = protocol;
	return seal(sa, packet, &p) ? all : 0;
}

const uint8_t *esp_open(struct esp_sa *sa, uint8_t *packet, size_t len,
			size_t *payload_len, uint8_t protocol)
{
	uint8_t head[HEAD];
	struct parts p;
	size_t pad;

	put_head(sa, head);
	if (len < HEAD + iv_len(sa->alg) + TAIL + esp_icv_len(sa->alg))
		return NULL;
	p = parts_of(sa, packet, len);
	if (p.len % algs[sa->alg].block || memcmp(packet, head, HEAD) ||
	    !unseal(sa, packet, &p))
		return NULL;
	pad = p.body[p.len - 2];
	if (pad + TAIL > p.len || p.body[p.len - 1] != protocol)
		return NULL;
	*payload_len = p.len - TAIL - pad;
	for (size_t i = 0; i < pad; i++)
		if (p.body[*payload_len + i] != i + 1)
			return NULL;
	return p.body;
}
