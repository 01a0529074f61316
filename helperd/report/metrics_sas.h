/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * SAs as metrics.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_REPORT_METRICS_SAS_H
#define WAVECRYPT_REPORT_METRICS_SAS_H

#include <jansson.h>

/**
 * metrics_sas - add what there is to say of SAs
 * @metrics: of exposition(); to add to
 * @sas: what sas_collect() said, or NULL
 *
 * Those of one tunnel are one, by reqid and name: SPIs change with every rekeying,
 * and a label with them would grow without bound.
 */
void metrics_sas(json_t *metrics, const json_t *sas);

#endif
