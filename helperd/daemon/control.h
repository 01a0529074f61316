/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The control socket: one line in, an answer out, closed.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_DAEMON_CONTROL_H
#define WAVECRYPT_DAEMON_CONTROL_H

#include <stdbool.h>

struct control;

/**
 * struct control_handler - who answers
 * @answer: the answer to a request, to be freed, or NULL if there is no such
 *	request; @act: who asks may change something, too
 * @context: passed on
 */
struct control_handler {
	char *(*answer)(void *context, const char *request, bool act);
	void *context;
};

/**
 * control_open - listen
 * @path: where; its directory is made if it is missing
 * @group: whose members may ask, or ""
 * @takeover: control_move() is to replace a daemon's socket that is still served
 * @user: whom root is to become before that; "": nobody else
 * @handler: who answers; must outlive the socket
 *
 * Only root, the user who opened it, and members of @group are answered; the
 * latter may not act. Where @user could not replace a socket, as the directory is
 * another's, it is done here.
 *
 * Return: NULL, with a message logged, if that is not possible.
 */
struct control *control_open(const char *path, const char *group,
			     bool takeover, const char *user,
			     const struct control_handler *handler);

/** control_move - be where another daemon's socket is, if that is to be replaced */
void control_move(struct control *c);

/** control_fd - becomes readable when control_run() is to be called */
int control_fd(const struct control *c);

/** control_run - serve who is to be served; never blocks */
void control_run(struct control *c);

/** control_close - stop listening, and remove the socket if it is still ours */
void control_close(struct control *c);

#endif
