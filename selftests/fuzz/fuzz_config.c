// SPDX-License-Identifier: GPL-2.0-only
/*
 * Any text as a configuration. What is refused leaves the settings as they were
 * and says where it is wrong; what is taken is within its limits.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <stdlib.h>
#include <string.h>

#include "daemon/config.h"
#include "daemon/registry.h"
#include "fuzz.h"
#include "lib/log.h"

static void take_line(struct config *c, const char *line)
{
	struct config before = *c;
	struct config_error err;

	memset(&err, 0x7f, sizeof(err));
	if (config_line(c, line, &err))
		return;
	MUST(!memcmp(c, &before, sizeof(before)));
	MUST(err.line == 0 && err.column >= 1 && err.column <= strlen(line) + 1);
	MUST(memchr(err.text, '\0', sizeof(err.text)) && err.text[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config c;

	config_init(&c);
	while (size) {
		const uint8_t *end = memchr(data, '\n', size);
		size_t len = end ? (size_t)(end - data) : size;
		/* A block of its own, so that ASan sees its end */
		char *line = strndup((const char *)data, len);

		take_line(&c, line);
		free(line);
		len += !!end;
		data += len;
		size -= len;
	}
	MUST(memchr(c.module, '\0', SETTING_TEXT) && memchr(c.control, '\0', SETTING_TEXT) &&
	     memchr(c.backend, '\0', SETTING_TEXT) && memchr(c.user, '\0', SETTING_TEXT));
	MUST(c.batch_max >= 1 && c.batch_max <= CHUNK_MAX);
	MUST(c.queues_per_worker >= 1);
	return 0;
}
