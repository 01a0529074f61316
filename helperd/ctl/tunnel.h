/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One end of tunnels, in a network namespace that nobody else sees, and that goes
 * with the process, however that ends. What the kernel sends to the other end this
 * process reads, and what it writes the kernel receives from there.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_TUNNEL_H
#define WAVECRYPT_CTL_TUNNEL_H

#include "ctl/esp.h"

/** TUNNEL_PAYLOAD - most bytes of a datagram that fits into a packet */
#define TUNNEL_PAYLOAD	1350

struct tunnel;

/**
 * tunnel_open - enter a namespace of one's own, for good
 * @why: where to put why not
 *
 * Return: an end; NULL: that cannot be done.
 */
struct tunnel *tunnel_open(const char **why);

/** tunnel_close - the end of it */
void tunnel_close(struct tunnel *t);

/**
 * tunnel_use - what is sent and received from now on goes through these SAs
 * @t: the end
 * @out: SA that the kernel encrypts with
 * @in: SA that the kernel decrypts with
 * @number: which pair it is, from 1 on
 *
 * Return: NULL, or why that cannot be done.
 */
const char *tunnel_use(struct tunnel *t, const struct esp_sa *out,
		       const struct esp_sa *in, unsigned int number);

/** tunnel_send - have the kernel send a datagram, which it encrypts */
bool tunnel_send(struct tunnel *t, const void *data, size_t len);

/**
 * tunnel_sent - open the next packet that the kernel sends
 * @t: the end
 * @out: its SA
 * @data: room for TUNNEL_PAYLOAD bytes
 * @patience_ms: how long to wait for it
 *
 * Return: bytes of the datagram; -1: there is none; -2: it is wrong.
 */
int tunnel_sent(struct tunnel *t, struct esp_sa *out, void *data,
		int patience_ms);

/**
 * tunnel_give - have the kernel receive a packet, which it decrypts
 * @t: the end
 * @in: its SA
 * @data: the datagram
 * @len: its length
 * @changed: one bit of it is another on the way
 */
bool tunnel_give(struct tunnel *t, struct esp_sa *in, const void *data,
		 size_t len, bool changed);

/**
 * tunnel_received - the next datagram that the kernel has received
 * @t: the end
 * @data: room for TUNNEL_PAYLOAD bytes
 * @patience_ms: how long to wait for it
 *
 * Return: its bytes; -1: there is none.
 */
int tunnel_received(struct tunnel *t, void *data, int patience_ms);

#endif
