// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <glob.h>
#include <stdio.h>
#include <string.h>

#include "ctl/vendor.h"
#include "lib/array.h"

const struct vendor vendors[VENDORS] = {
	[VENDOR_AMD] = { "amd", "0x1002", "hsa" },
	[VENDOR_NVIDIA] = { "nvidia", "0x10de", "opencl" },
	[VENDOR_INTEL] = { "intel", "0x8086", "opencl" },
};

bool vendor_drop_in(const struct vendor *v, const char *root,
		    char path[VENDOR_PATH])
{
	return snprintf(path, VENDOR_PATH,
			"%s" WAVECRYPT_SHAREDIR "/wavecryptd-%s.conf", root,
			v->name) < VENDOR_PATH;
}

/* Does a file next to that one begin like this? */
static bool begins(const char *path, const char *file, const char *with)
{
	char beside[VENDOR_PATH], line[32] = "";
	FILE *f;

	snprintf(beside, sizeof(beside), "%.*s/%s",
		 (int)(strrchr(path, '/') - path), path, file);
	f = fopen(beside, "re");
	if (!f)
		return false;
	if (!fgets(line, sizeof(line), f))
		line[0] = '\0';
	fclose(f);
	return !strncmp(line, with, strlen(with));
}

/* NVIDIA's driver makes no DRM device of one that only computes. */
bool vendor_here(const struct vendor *v, const char *root)
{
	static const struct {
		const char *pattern;
		const char *class;
	} places[] = {
		{ "sys/class/drm/card*/device/vendor", NULL },
		{ "sys/bus/pci/devices/*/vendor", "0x03" },
	};
	char pattern[VENDOR_PATH];
	bool here = false;
	glob_t g;

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s", root,
			 places[i].pattern);
		if (glob(pattern, 0, NULL, &g))
			continue;
		for (size_t k = 0; k < g.gl_pathc; k++)
			here |= begins(g.gl_pathv[k], "vendor", v->pci) &&
				(!places[i].class ||
				 begins(g.gl_pathv[k], "class", places[i].class));
		globfree(&g);
	}
	return here;
}
