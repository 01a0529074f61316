/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_DAEMON_H
#define WAVECRYPT_CTL_DAEMON_H

#include "ctl/ctl.h"

/** reload_collect - have the daemon read its settings again */
json_t *reload_collect(const struct ctl *c);

/** level_collect - have the daemon say more, or less: to the level that is named */
json_t *level_collect(const struct ctl *c);

/** reload_print - what came of either, as text */
void reload_print(const json_t *answer);

/** config_collect - the daemon's settings, and where they are from */
json_t *config_collect(const struct ctl *c);

/** config_print - the same as text */
void config_print(const json_t *answer);

#endif
