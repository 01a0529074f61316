# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# install and uninstall; included by the top-level Makefile

sbindir	= $(PREFIX)/sbin
mandir	= $(PREFIX)/share/man
unitdir	= $(PREFIX)/lib/systemd/system
moddir	= /lib/modules/$(release)/updates

manuals	= $(wildcard Documentation/man/*.[1-8])
units	= $(wildcard helperd/*.service)

# $(call mandest,PAGE): a manual's page goes to the section that it ends in
mandest	= $(mandir)/man$(patsubst .%,%,$(suffix $(1)))/$(notdir $(1))

installed = $(moddir)/wavecrypt.ko $(sbindir)/wavecryptd $(sbindir)/wavecryptctl \
	$(foreach m,$(manuals),$(call mandest,$(m))) \
	$(addprefix $(unitdir)/,$(notdir $(units)))

# A staged tree is indexed where it is unpacked, not here.
depmod	= $(if $(DESTDIR),,depmod -a $(release))

.PHONY: install
install: all
	install -D -m 644 $(MODDIR)/wavecrypt.ko $(DESTDIR)$(moddir)/wavecrypt.ko
	install -D $(build)/helperd/wavecryptd $(DESTDIR)$(sbindir)/wavecryptd
	install -D $(build)/helperd/wavecryptctl $(DESTDIR)$(sbindir)/wavecryptctl
	$(foreach m,$(manuals),install -D -m 644 $(m) $(DESTDIR)$(call mandest,$(m)) &&) :
	$(foreach u,$(units),install -D -m 644 $(u) $(DESTDIR)$(unitdir)/$(notdir $(u)) &&) :
	$(depmod)

.PHONY: uninstall
uninstall:
	rm -f $(addprefix $(DESTDIR),$(installed))
	$(depmod)
