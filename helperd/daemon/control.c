// SPDX-License-Identifier: GPL-2.0-only
/*
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "daemon/control.h"
#include "lib/clock.h"
#include "lib/log.h"

/* Clients at a time. */
#define CLIENTS		8

/* What follows the name of a socket that is going to replace another, or that is on
 * its way out: whose it is
 */
#define ASIDE		".%d"

/* Longest request, with its newline. */
#define REQUEST		64

/**
 * struct client - a connection
 * @fd: -1: none
 * @since: when it came
 * @act: it may change something
 * @got: bytes of @request
 * @request: what it has said
 * @answer: what it is to be told, or NULL
 * @size: length of @answer
 * @sent: how much of that it was told
 */
struct client {
	int fd;
	uint64_t since;
	bool act;
	size_t got;
	char request[REQUEST];
	char *answer;
	size_t size;
	size_t sent;
};

/**
 * struct control - the socket
 * @handler: who answers
 * @listen: the socket
 * @epoll: all of them
 * @uid: who opened it
 * @gid: the group that may ask, or -1
 * @addr: its name
 * @place: what is to be its name; "": that it has
 * @dev: the device that the name is on
 * @ino: its inode
 * @clients: connections
 */
struct control {
	const struct control_handler *handler;
	int listen;
	int epoll;
	uid_t uid;
	gid_t gid;
	struct sockaddr_un addr;
	char place[sizeof(((struct sockaddr_un *)NULL)->sun_path)];
	dev_t dev;
	ino_t ino;
	struct client clients[CLIENTS];
};

static void client_drop(struct client *client)
{
	close(client->fd);
	free(client->answer);
	client->answer = NULL;
	client->fd = -1;
}

/* Of more groups than this, those of a user who is in so many do not count. */
#define GROUPS	1024

static bool in_group(const struct control *c, int fd, gid_t first)
{
	gid_t groups[GROUPS];
	socklen_t size = sizeof(groups);

	if (c->gid == (gid_t)-1)
		return false;
	if (first == c->gid)
		return true;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size))
		return false;
	for (size_t i = 0; i < size / sizeof(*groups); i++)
		if (groups[i] == c->gid)
			return true;
	return false;
}

/* Whether who has connected may ask, and whether it may act. */
static bool allowed(const struct control *c, int fd, bool *act)
{
	struct ucred peer;
	socklen_t size = sizeof(peer);

	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size))
		return false;
	*act = peer.uid == 0 || peer.uid == c->uid;
	return *act || in_group(c, fd, peer.gid);
}

/* Whoever has been here the longest makes room; an answer takes no time. */
static struct client *client_room(struct control *c)
{
	struct client *oldest = &c->clients[0];

	for (int i = 0; i < CLIENTS; i++) {
		struct client *client = &c->clients[i];

		if (client->fd < 0)
			return client;
		if (client->since < oldest->since)
			oldest = client;
	}
	client_drop(oldest);
	return oldest;
}

static void client_accept(struct control *c)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct client *client;
	int fd = accept4(c->listen, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	bool act;

	if (fd < 0)
		return;
	/* Nobody makes room for one who is not answered. */
	if (!allowed(c, fd, &act)) {
		close(fd);
		return;
	}
	client = client_room(c);
	event.data.ptr = client;
	if (epoll_ctl(c->epoll, EPOLL_CTL_ADD, fd, &event)) {
		close(fd);
		return;
	}
	client->fd = fd;
	client->act = act;
	client->since = clock_ns();
	client->got = 0;
	client->size = 0;
	client->sent = 0;
}

static void client_send(struct control *c, struct client *client)
{
	struct epoll_event event = { .events = EPOLLOUT, .data.ptr = client };
	ssize_t n = send(client->fd, client->answer + client->sent,
			 client->size - client->sent, MSG_NOSIGNAL);

	if (n < 0 && errno != EAGAIN)
		return client_drop(client);
	if (n > 0)
		client->sent += n;
	if (client->sent == client->size)
		return client_drop(client);
	epoll_ctl(c->epoll, EPOLL_CTL_MOD, client->fd, &event);
}

static void client_answer(struct control *c, struct client *client)
{
	client->answer = c->handler->answer(c->handler->context,
					    client->request, client->act);
	if (!client->answer)
		client->answer = strdup("{\"error\":\"no such request\"}");
	if (!client->answer)
		return client_drop(client);
	client->size = strlen(client->answer);
	client_send(c, client);
}

static void client_receive(struct control *c, struct client *client)
{
	ssize_t n = recv(client->fd, client->request + client->got,
			 REQUEST - client->got, 0);
	char *newline;

	if (n < 0 && errno == EAGAIN)
		return;
	if (n <= 0)
		return client_drop(client);
	client->got += n;
	newline = memchr(client->request, '\n', client->got);
	if (newline) {
		*newline = '\0';
		client_answer(c, client);
	} else if (client->got == REQUEST) {
		client_drop(client);
	}
}

void control_run(struct control *c)
{
	struct epoll_event events[CLIENTS + 1];
	int n = epoll_wait(c->epoll, events, CLIENTS + 1, 0);

	for (int i = 0; i < n; i++) {
		struct client *client = events[i].data.ptr;

		if (!client)
			client_accept(c);
		else if (client->fd < 0)
			continue;	/* dropped by an earlier event */
		else if (client->answer)
			client_send(c, client);
		else
			client_receive(c, client);
	}
}

int control_fd(const struct control *c)
{
	return c->epoll;
}

/* Does somebody serve the socket that is there? Perhaps not us, or not now. */
static bool served(const struct sockaddr_un *addr)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	bool no = fd >= 0 &&
		  connect(fd, (const struct sockaddr *)addr, sizeof(*addr)) &&
		  (errno == ECONNREFUSED || errno == ENOENT);

	if (fd >= 0)
		close(fd);
	return !no;
}

/* What somebody else put there is not ours to take away, whatever a setting says. */
static bool unlink_socket(const char *path)
{
	struct stat st;

	if (lstat(path, &st))
		return errno == ENOENT;
	if (S_ISSOCK(st.st_mode))
		return !unlink(path);
	errno = EEXIST;
	return false;
}

/* Whom the daemon is going to be: only root becomes another. */
static uid_t uid_of(const char *user)
{
	const struct passwd *pw = geteuid() ? NULL : getpwnam(user);

	return pw ? pw->pw_uid : geteuid();
}

/* Another name for now, where the one that is wanted may be had later. */
static void wait_aside(struct control *c, const char *dir, uid_t user)
{
	char name[sizeof(c->place)];
	struct stat st;

	if (stat(dir[0] ? dir : "/", &st) || st.st_uid != user ||
	    snprintf(name, sizeof(name), "%s" ASIDE, c->addr.sun_path, getpid()) >=
	    (int)sizeof(name))
		return;
	strcpy(c->place, c->addr.sun_path);
	strcpy(c->addr.sun_path, name);
}

/* Where there is something already; false: that stays. */
static bool make_room(struct control *c, const char *dir, bool takeover, uid_t user)
{
	if (served(&c->addr)) {
		if (!takeover) {
			errno = EADDRINUSE;
			return false;
		}
		wait_aside(c, dir, user);
	}
	return unlink_socket(c->addr.sun_path);
}

static bool control_bind(struct control *c, bool takeover, uid_t user)
{
	const struct sockaddr *addr = (const struct sockaddr *)&c->addr;
	char dir[sizeof(c->addr.sun_path)];
	mode_t mask = umask(0022);
	int err;

	/* Everybody may pass through: it is the socket that says who may ask. */
	strcpy(dir, c->addr.sun_path);
	*strrchr(dir, '/') = '\0';
	if (dir[0] && !mkdir(dir, 0755) && lchown(dir, user, -1))
		log_warn("%s: %s", dir, strerror(errno));
	umask(0177);
	err = bind(c->listen, addr, sizeof(c->addr));
	if (err && errno == EADDRINUSE && make_room(c, dir, takeover, user))
		err = bind(c->listen, addr, sizeof(c->addr));
	umask(mask);
	return !err && !listen(c->listen, SOMAXCONN);
}

/*
 * As whom root becomes has it, so that the next daemon, started as that user, can tell
 * whether anybody still serves it. Nothing else that may be there by now is given away.
 */
static void control_own(const struct control *c, uid_t user)
{
	int fd = open(c->addr.sun_path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat st;

	if (fd < 0)
		return;
	if (!fstat(fd, &st) && S_ISSOCK(st.st_mode) && st.st_nlink == 1 &&
	    st.st_uid != user && fchownat(fd, "", user, -1, AT_EMPTY_PATH))
		log_warn("%s: %s", c->addr.sun_path, strerror(errno));
	close(fd);
}

/*
 * Who is in it may connect; whether it may act is decided then. We may be root in a
 * directory of somebody else, who has put something else in the socket's place.
 */
static void control_share(struct control *c, const char *name)
{
	const struct group *group;

	c->gid = -1;
	if (!name[0])
		return;
	group = getgrnam(name);
	if (!group) {
		log_warn("control-group: there is no group \"%s\"", name);
		return;
	}
	if (lchown(c->addr.sun_path, -1, group->gr_gid) ||
	    fchmodat(AT_FDCWD, c->addr.sun_path, 0660, AT_SYMLINK_NOFOLLOW)) {
		log_warn("control-group: %s: %s; the daemon's user has to be in it (SupplementaryGroups= in the unit)",
			 name, strerror(errno));
		return;
	}
	c->gid = group->gr_gid;
}

struct control *control_open(const char *path, const char *group,
			     bool takeover, const char *user,
			     const struct control_handler *handler)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct control *c = calloc(1, sizeof(*c));
	struct stat st;

	if (!c)
		return NULL;
	c->handler = handler;
	c->uid = geteuid();
	for (int i = 0; i < CLIENTS; i++)
		c->clients[i].fd = -1;
	c->addr.sun_family = AF_UNIX;
	strncpy(c->addr.sun_path, path, sizeof(c->addr.sun_path) - 1);
	c->listen = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
			   0);
	c->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (c->listen < 0 || c->epoll < 0 ||
	    !control_bind(c, takeover, uid_of(user)) ||
	    epoll_ctl(c->epoll, EPOLL_CTL_ADD, c->listen, &event)) {
		log_warn("%s: no control socket: %s", path, strerror(errno));
		control_close(c);
		return NULL;
	}
	control_own(c, uid_of(user));
	control_share(c, group);
	if (!lstat(c->addr.sun_path, &st)) {
		c->dev = st.st_dev;
		c->ino = st.st_ino;
	}
	return c;
}

void control_move(struct control *c)
{
	if (!c->place[0])
		return;
	if (rename(c->addr.sun_path, c->place))
		log_warn("%s: no control socket: %s", c->place, strerror(errno));
	else
		strcpy(c->addr.sun_path, c->place);
	c->place[0] = '\0';
}

static bool is_ours(const struct control *c, const char *path)
{
	struct stat st;

	return c->ino && !lstat(path, &st) && st.st_ino == c->ino &&
	       st.st_dev == c->dev;
}

/*
 * One that replaces us has put its own in the same place, or does so right now. So ours
 * is looked at where nobody else touches it; what turns out to be another's goes back.
 */
static void remove_ours(const struct control *c)
{
	char aside[PATH_MAX];

	if (!is_ours(c, c->addr.sun_path))
		return;
	snprintf(aside, sizeof(aside), "%s" ASIDE, c->addr.sun_path, getpid());
	if (rename(c->addr.sun_path, aside))
		return;
	if (is_ours(c, aside) ||
	    renameat2(AT_FDCWD, aside, AT_FDCWD, c->addr.sun_path,
		      RENAME_NOREPLACE))
		unlink(aside);
}

void control_close(struct control *c)
{
	for (int i = 0; i < CLIENTS; i++)
		if (c->clients[i].fd >= 0)
			client_drop(&c->clients[i]);
	if (c->listen >= 0)
		close(c->listen);
	if (c->epoll >= 0)
		close(c->epoll);
	remove_ours(c);
	free(c);
}
