// SPDX-License-Identifier: GPL-2.0-only
/*
 * Messages of strongSwan's: names and keys of what is whole have the form of such.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <string.h>

#include "ctl/vici.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t *children = json_object(), *name;
	const char *key;

	if (!vici_take(data, size, children))
		MUST(!json_object_size(children));
	json_object_foreach(children, key, name) {
		MUST(!strncmp(key, "0x", 2) && strcspn(key, " ") == 10);
		MUST(json_is_string(name) &&
		     !strchr(json_string_value(name), '\033'));
	}
	json_decref(children);
	return 0;
}
