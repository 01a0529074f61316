/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where work went, so far and lately: of the SAs that were asked for, if some were.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_WORK_H
#define WAVECRYPT_CTL_WORK_H

#include <jansson.h>

/**
 * struct work - requests, or packets of SAs
 * @offloaded: the helper did
 * @redone: came back from it for the kernel to do, or to look at once more
 * @rechecked: those that it called forged, whichever SAs' they were: the module does not
 *	know that
 * @wrong: those that were, likewise
 * @here: the kernel did at once
 * @held: those of these that it would have done so in any case, for a bug of its own
 */
struct work {
	json_int_t offloaded;
	json_int_t redone;
	json_int_t rechecked;
	json_int_t wrong;
	json_int_t here;
	json_int_t held;
};

/** work_so_far - since the module was loaded, by what status_look() said */
struct work work_so_far(const json_t *status);

/** work_between - between two looks */
struct work work_between(const json_t *before, const json_t *after);

/** work_forged - of those that came back, how many at most were forged, as it had said */
long long work_forged(const struct work *w);

#endif
