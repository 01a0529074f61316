/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 *
 * What functions return
 */
#ifndef RT_STATUS_H
#define RT_STATUS_H

#include <stdbool.h>

#include <hsa/hsa.h>

/**
 * status_parse() - a status by name or number
 * @text: either
 * @status: the status
 *
 * Return: whether there is such a one
 */
bool status_parse(const char *text, hsa_status_t *status);

/**
 * status_name() - the name of a status
 * @status: the status
 *
 * Return: its name, or NULL
 */
const char *status_name(hsa_status_t status);

#endif
