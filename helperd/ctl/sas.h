/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SAs and who serves them.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_SAS_H
#define WAVECRYPT_CTL_SAS_H

#include "ctl/ctl.h"

struct ifaddrs;

/**
 * sas_collect - this network namespace's SAs, judged
 * @c: where to look; and which, and whether by their names as well
 * @aeads: what proc_crypto_aeads() said
 * @why: where to put why they cannot be had
 *
 * Return: an array as of xfrm_sas(), with what children_name() and sas_judge()
 * add; or NULL.
 */
json_t *sas_collect(const struct ctl *c, const json_t *aeads, const char **why);

/**
 * sas_direct - add "direction" where the kernel did not say it
 * @sas: SAs
 * @local: this machine's addresses: an SA that ends at one of them is "in"
 */
void sas_direct(json_t *sas, const struct ifaddrs *local);

/**
 * sas_judge - add who serves them
 * @sas: SAs. Added are: accelerated; and where known driver; evidence, that is
 *	"counted" if the module has seen its packets, "deduced" if it is merely
 *	what the kernel would have taken; packets_inline, packets_offloaded,
 *	packets_redone; inline_driver; note.
 * @rows: what transforms() said, or NULL
 * @aeads: what proc_crypto_aeads() said
 */
void sas_judge(json_t *sas, const json_t *rows, const json_t *aeads);

/**
 * struct sas_count - how many SAs there are, judged
 * @all: these
 * @accelerated: are wavecrypt's, and can be offloaded
 * @unknown: may be anybody's
 * @barred: are wavecrypt's, and cannot be offloaded
 * @device: are a network interface's
 * @older: are another driver's until they are rekeyed
 * @foreign: are another driver's by their algorithm
 * @otherwise: the last four together
 * @carried: of those, have carried packets
 */
struct sas_count {
	size_t all;
	size_t accelerated;
	size_t unknown;
	size_t barred;
	size_t device;
	size_t older;
	size_t foreign;
	size_t otherwise;
	size_t carried;
};

/**
 * sas_count - count them
 * @sas: SAs, judged
 * @aeads: wavecrypt's, perhaps among others
 */
struct sas_count sas_count(const json_t *sas, const json_t *aeads);

/**
 * sas_none - whether none is accelerated, as far as can be told
 *
 * One without packets says nothing, unless all are known.
 */
bool sas_none(const struct sas_count *n);

/**
 * sas_rates - add what has happened since
 * @sas: SAs, as of now
 * @before: the same as of before
 * @seconds: between the two
 *
 * Added are: packets_per_s, bits_per_s, offloaded_per_s. One that was not there
 * before counts from 0.
 */
void sas_rates(json_t *sas, const json_t *before, double seconds);

/** SAS_KEY - room for sas_key() */
#define SAS_KEY	96

/**
 * sas_key - what tells an SA from others; its protocol is ESP
 * @key: where to put it
 * @spi: its SPI, as xfrm_sas() writes it
 * @dst: the end that it goes to
 *
 * Return: @key.
 */
const char *sas_key(char key[SAS_KEY], const char *spi, const char *dst);

/**
 * sas_growth - by how much a counter grew, of all of them
 * @sas: SAs, as of now
 * @before: the same as of before: one that has gone since takes nothing away
 * @name: the counter
 */
json_int_t sas_growth(const json_t *sas, const json_t *before, const char *name);

/** sas_print - as text */
void sas_print(const json_t *sas);

/** sas_print_lines - as text, a line for each */
void sas_print_lines(const json_t *sas);

/** sas_list_collect - what "sas" says: an object of "sas", or of "error" */
json_t *sas_list_collect(const struct ctl *c);

/** sas_list_print - the same as text */
void sas_list_print(const json_t *list);

#endif
