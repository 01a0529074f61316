// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a GPU's driver in the daemon is not allowed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "daemon/harden.h"
#include "ktap.h"
#include "lib/array.h"

#define CALL(name)	{ #name, SYS_##name }

/* What Documentation/security.rst says; with arguments that none of them takes */
static const struct {
	const char *name;
	long nr;
} calls[] = {
	/* Starting programs */
	CALL(execve), CALL(execveat),
	/* Changing users */
	CALL(setuid), CALL(setgid), CALL(setreuid), CALL(setregid), CALL(setresuid),
	CALL(setresgid), CALL(setfsuid), CALL(setfsgid), CALL(setgroups),
	/* Loading modules */
	CALL(init_module), CALL(finit_module), CALL(delete_module),
	/* Tracing */
	CALL(ptrace), CALL(process_vm_readv), CALL(process_vm_writev), CALL(bpf),
	CALL(perf_event_open),
	/* Mounting */
	CALL(mount), CALL(umount2), CALL(pivot_root), CALL(chroot), CALL(unshare),
	CALL(setns), CALL(open_tree), CALL(move_mount), CALL(fsopen), CALL(fsconfig),
	CALL(fsmount), CALL(fspick), CALL(mount_setattr),
};

/* Return: what came of it, once the filter is there */
static int tried(long nr)
{
	int status = 0;
	pid_t child = fork();

	if (!child) {
		if (!harden_syscalls(true))
			_exit(255);
		_exit(syscall(nr, -1L, -1L, -1L, -1L, -1L, -1L) == -1 ? errno : 0);
	}
	waitpid(child, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void refused(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
		int err = tried(calls[i].nr);

		EXPECT(err == EPERM, "%s: %d", calls[i].name, err);
	}
}

static const struct ktap_case cases[] = {
	{ "what no driver has any business with is refused", refused },
	{ 0 },
};

int main(void)
{
	return ktap_run(cases);
}
