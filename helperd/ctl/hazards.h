/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Bugs of this kernel that asynchronous crypto wakes.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_HAZARDS_H
#define WAVECRYPT_CTL_HAZARDS_H

#include "ctl/ctl.h"

/**
 * hazards_collect - what the module says of each
 * @c: where
 *
 * Return: an array of objects: name, state ("absent": the kernel does not have
 * it; "dormant": nothing gets to it; "guarded"; "exposed"), guard ("encrypt" or
 * "decrypt": not offloaded; "wait": devices that go wait), cve, fix (the commit),
 * fixed (versions), what (happens), way (to it). Empty if there is no module.
 */
json_t *hazards_collect(const struct ctl *c);

/** hazard_is - whether that is its state */
bool hazard_is(const json_t *hazard, const char *state);

/** hazard_direction - what is not offloaded because of it, in a word, or NULL */
const char *hazard_direction(const json_t *hazard);

/** hazards_hold - one that keeps "encrypt" or "decrypt" from being offloaded, or NULL */
const json_t *hazards_hold(const json_t *hazards, const char *op);

/** hazards_hold_sas - add packets_held: those that were done inline, where one does so */
void hazards_hold_sas(const json_t *hazards, json_t *sas);

/** hazard_name - with its CVE, if it has one, until the next call */
const char *hazard_name(const json_t *hazard);

/** hazards_print - those that matter now, as text */
void hazards_print(const json_t *hazards);

#endif
