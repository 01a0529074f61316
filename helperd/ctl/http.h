/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As much of HTTP as Prometheus needs: one request on standard input, one answer.
 *
 * Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
 */
#ifndef WAVECRYPT_CTL_HTTP_H
#define WAVECRYPT_CTL_HTTP_H

/**
 * http_refusal - read a request to its empty line, for some seconds at most
 *
 * Return: NULL, if it asks for something, or for what reason to refuse it
 */
const char *http_refusal(void);

/** http_answer - give it @text, as Prometheus' text format */
void http_answer(const char *text);

/** http_refuse - give it nothing, for a reason such as "400 Bad Request" */
void http_refuse(const char *why);

#endif
