// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pwd.h>
#include <sched.h>
#include <seccomp.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/harden.h"
#include "lib/array.h"
#include "lib/log.h"
#include "wavecrypt.h"

void harden_memory(bool lock)
{
	static const struct rlimit none = { 0, 0 };
	static const struct rlimit all = { RLIM_INFINITY, RLIM_INFINITY };

	if (setrlimit(RLIMIT_CORE, &none) || prctl(PR_SET_DUMPABLE, 0))
		log_warn("cannot turn core dumps off: %s", strerror(errno));
	if (!lock)
		return;
	/*
	 * The limit counts once the capability is gone: with a lower one, every
	 * allocation from then on would fail.
	 */
	if (setrlimit(RLIMIT_MEMLOCK, &all) ||
	    mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT))
		log_warn("cannot lock memory, keys may be swapped out: %s",
			 strerror(errno));
}

static bool become(const char *user)
{
	const struct passwd *pw;

	errno = 0;
	pw = getpwnam(user);
	if (!pw) {
		log_err("user \"%s\": %s", user,
			errno ? strerror(errno) : "no such user");
		return false;
	}
	if (geteuid()) {
		if (pw->pw_uid == geteuid())
			return true;
		log_err("cannot become user \"%s\", not being started as root: leave it out (a service is its unit's User=)",
			user);
		return false;
	}
	if (initgroups(user, pw->pw_gid) ||
	    setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) ||
	    setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid)) {
		log_err("cannot become user \"%s\": %s", user,
			strerror(errno));
		return false;
	}
	/* Changing the user turns them on again. */
	prctl(PR_SET_DUMPABLE, 0);
	return true;
}

static bool drop_capabilities(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	/* Needs a capability of its own; without it there is nothing to drop. */
	for (int cap = 0; cap <= CAP_LAST_CAP; cap++)
		prctl(PR_CAPBSET_DROP, cap);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
	if (syscall(SYS_capset, &header, none)) {
		log_err("cannot drop capabilities: %s", strerror(errno));
		return false;
	}
	return true;
}

const char *harden_user(const char *user)
{
	return user[0] || !getpwnam(HARDEN_USER) ? user : HARDEN_USER;
}

/*
 * Without a user's name: as the service does it, whoever starts the daemon as root.
 * Root without capabilities still owns most of the machine's files.
 */
static bool become_somebody(void)
{
	if (geteuid())
		return true;
	if (!harden_user("")[0]) {
		log_warn("staying root: there is no user \"%s\", and no other is set",
			 HARDEN_USER);
		return true;
	}
	log_info("becoming user \"%s\"", HARDEN_USER);
	return become(HARDEN_USER);
}

bool harden_privileges(const char *user)
{
	if (!(user[0] ? become(user) : become_somebody()))
		return false;
	if (!drop_capabilities())
		return false;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)) {
		log_err("cannot refuse new privileges: %s", strerror(errno));
		return false;
	}
	return true;
}

/* What is allowed whatever its arguments. */
static const int plain_calls[] = {
	/* The hot path, and threads */
	SCMP_SYS(futex), SCMP_SYS(rt_sigreturn), SCMP_SYS(rt_sigprocmask),
	SCMP_SYS(restart_syscall), SCMP_SYS(clock_gettime),
	SCMP_SYS(clock_nanosleep), SCMP_SYS(sched_yield), SCMP_SYS(getcpu),
	SCMP_SYS(sched_getaffinity), SCMP_SYS(sched_setaffinity),
	SCMP_SYS(set_robust_list), SCMP_SYS(rseq), SCMP_SYS(exit),
	SCMP_SYS(exit_group), SCMP_SYS(getpid), SCMP_SYS(gettid),
	SCMP_SYS(tgkill), SCMP_SYS(rt_sigaction), SCMP_SYS(prlimit64),
	/* Events, the control socket, messages */
	SCMP_SYS(read), SCMP_SYS(write), SCMP_SYS(writev), SCMP_SYS(lseek),
	SCMP_SYS(close), SCMP_SYS(dup2), SCMP_SYS(poll), SCMP_SYS(ppoll),
	SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait), SCMP_SYS(epoll_ctl),
	SCMP_SYS(accept4), SCMP_SYS(recvfrom), SCMP_SYS(sendto),
	SCMP_SYS(sendmsg), SCMP_SYS(connect), SCMP_SYS(getsockopt),
	SCMP_SYS(setsockopt), SCMP_SYS(fstat), SCMP_SYS(newfstatat),
	SCMP_SYS(rename), SCMP_SYS(renameat2), SCMP_SYS(unlink),
	/* Memory, and starting workers anew */
	SCMP_SYS(brk), SCMP_SYS(munmap), SCMP_SYS(mremap), SCMP_SYS(madvise),
	SCMP_SYS(mlock2), SCMP_SYS(getrandom), SCMP_SYS(openat),
	SCMP_SYS(memfd_create), SCMP_SYS(ftruncate),
	/* The module's counters */
	SCMP_SYS(getdents64),
};

static const unsigned long device_calls[] = {
	WAVECRYPT_IOC_ATTACH, WAVECRYPT_IOC_DETACH, WAVECRYPT_IOC_BELL,
	WAVECRYPT_IOC_WAIT,
};

static int allow_plain(scmp_filter_ctx ctx)
{
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(plain_calls); i++)
		err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, plain_calls[i],
					0);
	for (size_t i = 0; i < ARRAY_SIZE(device_calls); i++)
		err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(ioctl),
					1, SCMP_A1(SCMP_CMP_MASKED_EQ,
						   0xffffffff,
						   device_calls[i]));
	return err;
}

/* What is allowed with some arguments only. */
static int allow_some(scmp_filter_ctx ctx)
{
	int err = 0;

	/* No code but what is mapped now. */
	err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 1,
				SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
				SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	/* Threads, but no processes. clone3's flags cannot be looked at. */
	err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(clone), 1,
				SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD,
					CLONE_THREAD));
	err |= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3),
				0);
	/* fdopendir() asks whether it may read, and closes on exec. */
	err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
				SCMP_A1(SCMP_CMP_EQ, F_GETFL, 0));
	err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
				SCMP_A1(SCMP_CMP_EQ, F_SETFD, 0));
	/* syslog's, when it was restarted. */
	err |= seccomp_rule_add(ctx, SCMP_ACT_ALLOW, SCMP_SYS(socket), 1,
				SCMP_A0(SCMP_CMP_EQ, AF_UNIX, 0));
	return err;
}

/* What no driver of a device has any business with. */
static const int denied_calls[] = {
	SCMP_SYS(execve), SCMP_SYS(execveat), SCMP_SYS(fork), SCMP_SYS(vfork),
	SCMP_SYS(ptrace), SCMP_SYS(process_vm_readv),
	SCMP_SYS(process_vm_writev), SCMP_SYS(kcmp), SCMP_SYS(pidfd_getfd),
	SCMP_SYS(setuid), SCMP_SYS(setgid), SCMP_SYS(setreuid),
	SCMP_SYS(setregid), SCMP_SYS(setresuid), SCMP_SYS(setresgid),
	SCMP_SYS(setfsuid), SCMP_SYS(setfsgid), SCMP_SYS(setgroups),
	SCMP_SYS(mount), SCMP_SYS(umount2), SCMP_SYS(pivot_root),
	SCMP_SYS(chroot), SCMP_SYS(unshare), SCMP_SYS(setns),
	SCMP_SYS(open_tree), SCMP_SYS(move_mount), SCMP_SYS(fsopen),
	SCMP_SYS(fsconfig), SCMP_SYS(fsmount), SCMP_SYS(fspick),
	SCMP_SYS(mount_setattr),
	SCMP_SYS(open_by_handle_at), SCMP_SYS(mknod), SCMP_SYS(mknodat),
	SCMP_SYS(init_module), SCMP_SYS(finit_module),
	SCMP_SYS(delete_module), SCMP_SYS(kexec_load),
	SCMP_SYS(kexec_file_load), SCMP_SYS(reboot), SCMP_SYS(swapon),
	SCMP_SYS(swapoff), SCMP_SYS(bpf), SCMP_SYS(perf_event_open),
	SCMP_SYS(userfaultfd), SCMP_SYS(io_uring_setup), SCMP_SYS(keyctl),
	SCMP_SYS(add_key), SCMP_SYS(request_key), SCMP_SYS(settimeofday),
	SCMP_SYS(clock_settime), SCMP_SYS(adjtimex), SCMP_SYS(syslog),
	SCMP_SYS(personality), SCMP_SYS(iopl), SCMP_SYS(ioperm),
	SCMP_SYS(listen), SCMP_SYS(bind),
};

static int deny(scmp_filter_ctx ctx)
{
	int err = 0;

	for (size_t i = 0; i < ARRAY_SIZE(denied_calls); i++)
		err |= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM),
					denied_calls[i], 0);
	err |= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(clone), 1,
				SCMP_A0(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
	err |= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3),
				0);
	err |= seccomp_rule_add(ctx, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket),
				1, SCMP_A0(SCMP_CMP_NE, AF_UNIX, 0));
	return err;
}

bool harden_syscalls(bool driver)
{
	scmp_filter_ctx ctx = seccomp_init(driver ? SCMP_ACT_ALLOW :
						    SCMP_ACT_ERRNO(EPERM));
	int err;

	if (!ctx) {
		log_err("seccomp: no memory");
		return false;
	}
	err = driver ? deny(ctx) : allow_plain(ctx) | allow_some(ctx);
	/* For the driver's threads, too, which are there already. */
	err |= seccomp_attr_set(ctx, SCMP_FLTATR_CTL_TSYNC, driver);
	if (!err)
		err = seccomp_load(ctx);
	seccomp_release(ctx);
	if (err)
		log_err("seccomp: cannot restrict system calls: %s",
			strerror(err < 0 ? -err : EINVAL));
	return !err;
}
