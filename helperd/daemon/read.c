// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <stdio.h>

#include "daemon/read.h"

static bool read_file(struct config *c, const struct config_source *source,
		      char *why)
{
	struct config_error err;

	if (config_file(c, source->file, &err))
		return true;
	/* Every setting has a default. */
	if (!err.line && err.missing && !source->named)
		return true;
	if (err.line)
		snprintf(why, READ_ERROR, "%s:%u:%u: %s", source->file,
			 err.line, err.column, err.text);
	else
		snprintf(why, READ_ERROR, "%s: %s", source->file, err.text);
	return false;
}

bool config_read(struct config *c, const struct config_source *source,
		 char *why)
{
	struct config_error err;

	config_init(c);
	if (!read_file(c, source, why))
		return false;
	for (int i = 0; i < source->nr_set; i++) {
		if (config_line(c, source->set[i], &err))
			continue;
		snprintf(why, READ_ERROR, "--set %s: column %u: %s",
			 source->set[i], err.column, err.text);
		return false;
	}
	return !source->replace || config_line(c, "replace = yes", &err);
}

const char *config_where(struct config_origin origin,
			 const struct config_source *source, char *out,
			 size_t size)
{
	switch (origin.from) {
	case CONFIG_FILE:
		snprintf(out, size, "%s:%u", source->file, origin.line);
		break;
	case CONFIG_COMMAND:
		snprintf(out, size, "command line");
		break;
	case CONFIG_OPERATOR:
		snprintf(out, size, "wavecryptctl");
		break;
	default:
		snprintf(out, size, "default");
	}
	return out;
}
