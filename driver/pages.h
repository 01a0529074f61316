/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef _WC_PAGES_H
#define _WC_PAGES_H

#include <linux/gfp.h>
#include <linux/mm_types.h>

/* Without __GFP_RETRY_MAYFAIL the kernel would look for somebody to kill. */
#define WC_PAGES_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | \
			 __GFP_NOWARN)

/**
 * struct wc_pages - memory that a helper can map
 * @mem: where the module finds it, in one piece
 * @nr: how many pages
 * @page: the pages
 */
struct wc_pages {
	void *mem;
	unsigned int nr;
	struct page **page;
};

int wc_pages_alloc(struct wc_pages *pages, size_t size, int node);
void wc_pages_wipe(const struct wc_pages *pages);
void wc_pages_free(struct wc_pages *pages);

/** wc_pages_at - the page at an offset that lies within */
static inline struct page *wc_pages_at(const struct wc_pages *pages,
				       size_t offset)
{
	return pages->page[offset >> PAGE_SHIFT];
}

#endif /* _WC_PAGES_H */
