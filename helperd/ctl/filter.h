/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Some of the SAs: those that the arguments of a command name.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_FILTER_H
#define WAVECRYPT_CTL_FILTER_H

#include "ctl/ctl.h"

/** filter_known - is it a word that means something? */
bool filter_known(const char *word);

/**
 * filter_matches - does an SA have what a word names?
 * @word: KEY=VALUE, or a VALUE of any key. Keys: spi; peer, either end; reqid;
 *	algorithm, or a part of it; child
 * @sa: the SA
 */
bool filter_matches(const char *word, const json_t *sa);

/** filter_by_child - may one of the command's arguments be a CHILD_SA's name? */
bool filter_by_child(const struct ctl *c);

/**
 * filter_sas - those that have all that the command's arguments name
 * @c: with arguments, or without: all
 * @sas: SAs; given up
 *
 * Return: those.
 */
json_t *filter_sas(const struct ctl *c, json_t *sas);

#endif
