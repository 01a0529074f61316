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

#include "uapi/wavecrypt.h"

/*
 * alg(NUMBER, ID, LABEL, NAME, DIR, CIPHER, AUTH, FORM):
 *
 * NUMBER	names it in the module: WC_ALG_##NUMBER
 * ID		what the helper is told: WAVECRYPT_ALG_##ID. Several that differ
 *		in their form alone may share one.
 * LABEL	what traces call it
 * NAME		the crypto API's name
 * DIR		the directory of its counters; its driver's name, with "-wavecrypt"
 * CIPHER	WC_CIPHER_##CIPHER of alg.c: how the payload is encrypted
 * AUTH		WC_AUTH_##AUTH: how it is authenticated
 * FORM		WC_FORM_##FORM: how key and AAD are given
 */
#define WC_EACH_ALG(alg)						\
	alg(CBC_SHA1, CBC_SHA1, "cbc-sha1",				\
	    "authenc(hmac(sha1),cbc(aes))", "authenc-hmac-sha1-cbc-aes",	\
	    CBC, HMAC_SHA1, AUTHENC)					\
	alg(GCM, GCM, "gcm",						\
	    "rfc4106(gcm(aes))", "rfc4106-gcm-aes",			\
	    GCM, GHASH, RFC4106)

/* Bytes of the full ICV, by authenticator */
#define WC_ICV_HMAC_SHA1	20
#define WC_ICV_GHASH		16

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
