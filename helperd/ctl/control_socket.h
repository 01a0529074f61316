/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Where the daemon listens, as far as its configuration file tells.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_CONTROL_SOCKET_H
#define WAVECRYPT_CTL_CONTROL_SOCKET_H

#include "lib/setting.h"

/**
 * control_socket - the control socket to ask at, if nobody says
 * @root: prefix of the file
 * @path: result: what the file says, if there is one; or else the default
 */
void control_socket(const char *root, char path[SETTING_TEXT]);

#endif
