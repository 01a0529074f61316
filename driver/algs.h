/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The list of algorithms: what the kernel offers under one name each is a line
 * here. Registration, aliases, counters, routes and traces all come from it.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_ALGS_H
#define _WC_ALGS_H

#include <linux/build_bug.h>
#include <linux/types.h>
#include <crypto/sha1.h>
#include <crypto/sha2.h>

#include "uapi/wavecrypt.h"

/*
 * alg(NUMBER, ID, LABEL, NAME, DIR, CIPHER, AUTH, FORM):
 *
 * NUMBER	names it in the module: WC_ALG_##NUMBER
 * ID		what the helper is told: WAVECRYPT_ALG_##ID. Several that differ
 *		in their form alone may share one.
 * LABEL	what traces and the parameter "algs" call it
 * NAME		the crypto API's name
 * DIR		the directory of its counters; its driver's name, with "-wavecrypt"
 * CIPHER	WC_CIPHER_##CIPHER of alg.c: how the payload is encrypted
 * AUTH		WC_AUTH_##AUTH: how it is authenticated; HMAC(HASH, hash): by which
 * FORM		WC_FORM_##FORM: how key and AAD are given
 */
#define WC_EACH_ALG(alg)						\
	alg(GCM, GCM, "gcm",						\
	    "rfc4106(gcm(aes))", "rfc4106-gcm-aes",			\
	    GCM, GHASH, RFC4106)					\
	WC_EACH_HMAC(alg, CBC_, "cbc-", "cbc(aes)", "cbc-aes", CBC)	\
	WC_EACH_HMAC(alg, CTR_, "ctr-", "rfc3686(ctr(aes))",		\
		     "rfc3686-ctr-aes", CTR)				\
	WC_EACH_HMAC(alg, NULL_, "null-", "ecb(cipher_null)",		\
		     "ecb-cipher_null", PLAIN)				\
	alg(CBC, CBC, "cbc",						\
	    "authenc(digest_null,cbc(aes))",				\
	    "authenc-digest_null-cbc-aes",				\
	    CBC, NONE, AUTHENC)						\
	alg(CHACHA20_POLY1305, CHACHA20_POLY1305, "chacha20-poly1305",	\
	    "rfc7539esp(chacha20,poly1305)",				\
	    "rfc7539esp-chacha20-poly1305",				\
	    CHACHA20, POLY1305, RFC7539ESP)

/* A cipher with each HMAC: what its numbers, labels, names and directories have */
#define WC_EACH_HMAC(alg, ID, label, cra, dir, CIPHER)			\
	WC_HMAC(alg, ID, label, cra, dir, CIPHER, SHA1, sha1)		\
	WC_HMAC(alg, ID, label, cra, dir, CIPHER, SHA256, sha256)	\
	WC_HMAC(alg, ID, label, cra, dir, CIPHER, SHA384, sha384)	\
	WC_HMAC(alg, ID, label, cra, dir, CIPHER, SHA512, sha512)

/* With one of them, and with extended sequence numbers as well */
#define WC_HMAC(alg, ID, label, cra, dir, CIPHER, HASH, hash)		\
	alg(ID##HASH, ID##HASH, label #hash,				\
	    "authenc(hmac(" #hash ")," cra ")",				\
	    "authenc-hmac-" #hash "-" dir,				\
	    CIPHER, HMAC(HASH, hash), AUTHENC)				\
	alg(ID##HASH##_ESN, ID##HASH, label #hash "-esn",		\
	    "authencesn(hmac(" #hash ")," cra ")",			\
	    "authencesn-hmac-" #hash "-" dir,				\
	    CIPHER, HMAC(HASH, hash), AUTHENCESN)

/* Bytes of the full ICV, by authenticator */
#define WC_ICV_NONE		0
#define WC_ICV_HMAC(HASH, hash)	HASH##_DIGEST_SIZE
#define WC_ICV_GHASH		16
#define WC_ICV_POLY1305		16

#define WC_ALG_NUMBER(number, ...)	WC_ALG_##number,

/** enum wc_alg_nr - an algorithm's place in what the module keeps of each */
enum wc_alg_nr {
	WC_EACH_ALG(WC_ALG_NUMBER)
	WC_ALGS,
};

#define WC_ALG_ICV(number, id, label, name, dir, cipher, auth, ...)	\
	u8 number[WC_ICV_##auth];

/** union wc_icv - room for an ICV of any algorithm */
union wc_icv {
	WC_EACH_ALG(WC_ALG_ICV)
};

static_assert(sizeof(union wc_icv) <= WAVECRYPT_TAILROOM);

#endif /* _WC_ALGS_H */
