# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
#
# install and uninstall; included by the top-level Makefile. The parts are there
# for the packages, too, which are made of them.

SBINDIR	?= $(PREFIX)/sbin
MODDEST	?= /lib/modules/$(release)/updates

helperd	= $(MAKE) --no-print-directory -C helperd O=$(build)/helperd \
	DESTDIR=$(DESTDIR) PREFIX=$(PREFIX) SBINDIR=$(SBINDIR)
bench	= $(build)/bench/loopback/wavecrypt-bench
benchman = $(DESTDIR)$(PREFIX)/share/man/man1/wavecrypt-bench.1

units	= $(DESTDIR)$(PREFIX)/lib/systemd/system
unit	= $(units)/wavecryptd.service
rules	= $(DESTDIR)$(PREFIX)/lib/udev/rules.d/60-wavecrypt.rules
sysuser	= $(DESTDIR)$(PREFIX)/lib/sysusers.d/wavecrypt.conf
codedir	= $(DESTDIR)$(PREFIX)/lib/wavecrypt
share	= $(DESTDIR)$(PREFIX)/share/wavecrypt
# What somebody may have enabled
enabled	= wavecryptd.service wavecrypt-textfile.timer wavecrypt-metrics.socket
# Off unless somebody enables them, and rules and a dashboard to take from there
monitor-in = wavecrypt-textfile.service.in wavecrypt-textfile.timer \
	wavecrypt-metrics.socket wavecrypt-metrics@.service.in
monitor	= $(monitor-in:.in=)
monitor-data = wavecrypt.rules.yml wavecrypt-dashboard.json
# What the unit has to allow for GPUs, for "wavecryptctl gpu enable"
drop-ins = $(addprefix wavecryptd-,amd.conf intel.conf nvidia.conf)
# and where that links to them from
dropped	= $(DESTDIR)/etc/systemd/system/wavecryptd.service.d
up	= ../../../..
load	= $(DESTDIR)$(PREFIX)/lib/modules-load.d/wavecrypt.conf
# What wavecrypt-textfile.timer has written, and what the daemon has compiled for GPUs
textfile = $(DESTDIR)/var/lib/prometheus/node-exporter/wavecrypt.prom
cache	= $(DESTDIR)/var/cache/wavecrypt
# Which systemd leaves in place for a helper that it did not start
runtime	= $(DESTDIR)/run/wavecrypt
loaded	= $(DESTDIR)/sys/module/wavecrypt
# For which kernel it has been is in each; their headers may be gone by now.
modules	= $(sort $(wildcard $(DESTDIR)$(MODDEST)/wavecrypt.ko \
	$(DESTDIR)/lib/modules/*/updates/wavecrypt.ko))

# A staged tree is none of this machine's business.
here	= [ -n "$(DESTDIR)" ] ||
systemd	= $(here) [ ! -d /run/systemd/system ] ||
udev	= $(here) [ ! -e $(DESTDIR)/run/udev/control ] ||

# Packages have a unit of the same name. What belongs to it then is not ours to end.
packaged = $(if $(filter-out /usr,$(abspath $(PREFIX))),$(firstword $(wildcard \
	$(addsuffix /systemd/system/wavecryptd.service,$(DESTDIR)/usr/lib $(DESTDIR)/lib))))
alone	= [ -n "$(packaged)" ] ||

.PHONY: install install-module install-helper install-service
install: all install-module install-helper install-code-objects install-service \
		install-monitoring
	$(here) depmod -a $(release)
	$(systemd) { systemd-sysusers $(sysuser) && systemctl daemon-reload; }
	$(udev) { udevadm control --reload && { [ ! -e /sys/class/misc/wavecrypt ] || \
		udevadm trigger --action=add --settle /sys/class/misc/wavecrypt; }; }

install-module: module
	install -D -m 644 $(MODDIR)/driver/wavecrypt.ko $(DESTDIR)$(MODDEST)/wavecrypt.ko
	install -D -m 644 packaging/modules-load.conf $(load)

install-helper: helper wavecrypt-bench
	$(helperd) install
	install -D -m 755 $(bench) $(DESTDIR)$(PREFIX)/bin/wavecrypt-bench
	install -D -m 644 packaging/wavecrypt-bench.1 $(benchman)
	install -d $(share)
	for name in $(drop-ins); do \
		install -m 644 packaging/gpu/$$name $(share)/$$name || exit; \
	done

# Those that "make code-objects" has made, if any
.PHONY: install-code-objects
install-code-objects:
	for code in $(wildcard $(build)/code-objects/*.co); do \
		install -D -m 644 $$code $(codedir)/$$(basename $$code) || exit; \
	done

install-service:
	install -D -m 644 packaging/udev.rules $(rules)
	install -D -m 644 packaging/sysusers.conf $(sysuser)
	install -d $(units)
	sed 's,@SBINDIR@,$(SBINDIR),' packaging/wavecryptd.service.in >$(unit)
	chmod 644 $(unit)

.PHONY: install-monitoring
install-monitoring:
	install -d $(units) $(share)
	for name in $(monitor-in); do \
		to=$(units)/$${name%.in}; \
		sed 's,@SBINDIR@,$(SBINDIR),' packaging/prometheus/$$name >$$to && \
		chmod 644 $$to || exit; \
	done
	for name in $(monitor-data); do \
		install -m 644 packaging/prometheus/$$name $(share)/$$name || exit; \
	done

# The user stays, as its number could be given to somebody else.
.PHONY: uninstall
uninstall:
	-$(alone) $(systemd) systemctl disable --now $(enabled)
	-$(alone) $(systemd) systemctl stop wavecrypt-textfile.service
	rm -f $(addprefix $(units)/,$(monitor)) $(addprefix $(share)/,$(monitor-data) $(drop-ins))
	# SAs that are made from now on do without it, so that it can go once all were rekeyed.
	$(alone) $(here) [ ! -e $(loaded) ] || rmmod wavecrypt 2>/dev/null || { \
		echo 'wavecrypt is in use and stays loaded, until the next boot or "rmmod wavecrypt"'; \
		$(DESTDIR)$(SBINDIR)/wavecryptctl retire || true; }
	$(alone) rm -f $(addprefix $(dropped)/,$(drop-ins)) $(textfile)
	$(alone) rm -rf $(cache)
	@$(alone) rmdir $(dropped) $(runtime) 2>/dev/null || true
	rm -f $(load) $(unit) $(rules) $(sysuser) $(DESTDIR)$(PREFIX)/bin/wavecrypt-bench
	for file in $(modules); do \
		release=$$(modinfo -F vermagic $$file | cut -d' ' -f1) && rm $$file && \
			{ $(here) depmod -a $$release; } || exit; \
	done
	rm -f $(benchman)
	rm -rf $(codedir)
	$(helperd) uninstall-files
	$(alone) $(helperd) uninstall-conf
	$(systemd) systemctl daemon-reload
	$(udev) udevadm control --reload
ifneq ($(packaged),)
	@echo "left to the package that has $(packaged): what is enabled"
	# What led to ours leads to its own.
	for name in $(drop-ins); do \
		[ ! -L $(dropped)/$$name ] || [ -e $(dropped)/$$name ] || \
			ln -sf $(up)/usr/share/wavecrypt/$$name $(dropped)/$$name || exit; \
	done
	$(systemd) for unit in $(enabled); do \
		! systemctl --quiet is-enabled $$unit || systemctl reenable $$unit; \
	done
	$(systemd) systemctl try-restart $(enabled)
endif
