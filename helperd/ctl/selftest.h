/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * "selftest": does the module do what it should, on this machine?
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_SELFTEST_H
#define WAVECRYPT_CTL_SELFTEST_H

#include "ctl/ctl.h"

/**
 * selftest_collect - send packets through the module and compare them
 * @c: where it is; and how many packets each way of each pair of SAs
 *
 * Return: an object: "passed", in "summary" why or why not, "results"; "unknown": what
 * was asked for and is not offered, as nothing is tested then.
 */
json_t *selftest_collect(const struct ctl *c);

/** selftest_print - the same as text */
void selftest_print(const json_t *answer);

#endif
