// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ctl/control_socket.h"
#include "daemon/config.h"

void control_socket(const char *root, char path[SETTING_TEXT])
{
	struct config_error err;
	struct config config;
	char file[PATH_MAX];
	char *line = NULL;
	size_t size = 0;
	FILE *f;

	config_init(&config);
	snprintf(file, sizeof(file), "%s%s", root, CONFIG_DEFAULT);
	f = fopen(file, "re");
	/* What is wrong with other lines is for the daemon to tell, who is asked there. */
	while (f && getline(&line, &size, f) >= 0)
		config_line(&config, line, &err);
	free(line);
	if (f)
		fclose(f);
	/* Until it is restarted, it listens where it did. */
	strcpy(path, access(config.control, F_OK) ? CONFIG_CONTROL : config.control);
}
