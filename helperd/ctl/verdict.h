/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Is traffic being accelerated?
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_VERDICT_H
#define WAVECRYPT_CTL_VERDICT_H

#include <jansson.h>

/**
 * status_judge - say whether it is, in plain words
 * @status: what status_look() said, now
 * @before: what it said before; the same again: nothing is known of lately
 *
 * Added to @status are: accelerated, summary; and, if there is something between
 * the two, now, and what sas_rates() adds to SAs.
 */
void status_judge(json_t *status, const json_t *before);

#endif
