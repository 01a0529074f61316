# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# install and uninstall; included by the top-level Makefile

moddir	= /lib/modules/$(release)/updates

# A staged tree is indexed where it is unpacked, not here.
depmod	= $(if $(DESTDIR),,depmod -a $(release))

install-helper = $(MAKE) --no-print-directory -C helperd O=$(build)/helperd \
	DESTDIR=$(DESTDIR) PREFIX=$(PREFIX)

bench	= $(build)/bench/loopback/wavecrypt-bench

.PHONY: install
install: all wavecrypt-bench
	install -D -m 644 $(MODDIR)/wavecrypt.ko $(DESTDIR)$(moddir)/wavecrypt.ko
	$(install-helper) install
	install -D -m 755 $(bench) $(DESTDIR)$(PREFIX)/bin/wavecrypt-bench
	$(depmod)

.PHONY: uninstall
uninstall:
	rm -f $(DESTDIR)$(moddir)/wavecrypt.ko
	$(install-helper) uninstall
	rm -f $(DESTDIR)$(PREFIX)/bin/wavecrypt-bench
	$(depmod)
