/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * strongSwan's control interface, vici: the names of its CHILD_SAs. It is only
 * read from.
 *
 * strongSwan documents the protocol in src/libcharon/plugins/vici/README.md. It
 * has a library for it, libvici, whose header Debian does not package.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_VICI_H
#define WAVECRYPT_CTL_VICI_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/** VICI_SOCKET - where charon listens unless strongswan.conf says otherwise */
#define VICI_SOCKET	"/var/run/charon.vici"

/** VICI_PATIENCE_MS - a charon that has not said all by then is not waited for */
#define VICI_PATIENCE_MS	3000

/** vici_absent - why there are no names, where nobody listens */
extern const char *const vici_absent;

/**
 * vici_children - what charon calls the SAs that it has made
 * @path: its socket
 * @patience_ms: how long to wait for all of it
 * @why: where to put why it cannot be had
 *
 * Return: an object of the names, by sas_key(); or NULL.
 */
json_t *vici_children(const char *path, unsigned int patience_ms,
		      const char **why);

/**
 * vici_take - take a message that tells of an IKE_SA
 * @message: what charon sent
 * @size: how long it is
 * @children: object to put the names of its CHILD_SAs into
 *
 * Return: whether it is a whole message.
 */
bool vici_take(const void *message, size_t size, json_t *children);

#endif
