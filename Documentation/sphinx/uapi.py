# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""The directive "uapi:: FILE": a C header's kernel-doc comments, as they are.

A comment becomes a section with its summary, the declaration itself, the
members, and what else the comment says. So the interface is described in one
place, the header."""

import os
import re

from docutils import nodes
from docutils.parsers.rst import Directive
from docutils.statemachine import StringList

COMMENT = re.compile(r"/\*\*\n?(.*?)\*/\n*(.*?)(?=\n\n|\Z)", re.S)
SUMMARY = re.compile(r"(?:(struct|enum) )?(\w+) - (.*)", re.S)
MEMBER = re.compile(r"@(\w+): +(.*)", re.S)
DEFINE = re.compile(r"#define\s.*?(?<!\\)(?:\n|$)", re.S)


def undecorated(text):
    """The comment's lines without its stars"""
    return [re.sub(r"^ *\* ?", "", line).rstrip() for line in text.split("\n")]


def paragraphs(lines):
    """Lines, joined where a paragraph or a member goes on"""
    parts = [[]]
    for line in lines:
        if not line:
            parts.append([])
        elif line.startswith("@") and MEMBER.match(line):
            parts.append([line])
        else:
            parts[-1].append(line.strip())
    return [" ".join(part) for part in parts if part]


def marked(text):
    """kernel-doc's marks, as reStructuredText has them"""
    text = re.sub(r"([*`_])(?=\W|$)", r"\\\1", text)
    text = re.sub(r"(?<![\w`])[%@](\w[\w.]*\w)", r"``\1``", text)
    text = re.sub(r"&(?:(struct|enum) )?(\w[\w.]*\w)", r"``\2``", text)
    return re.sub(r"(?<![\w`])(-E[A-Z]+)\b", r"``\1``", text)


def declaration(code):
    """What the comment stands before: to its closing brace, or the define"""
    if code.startswith("#define"):
        return DEFINE.match(code).group(0).rstrip()
    return code.split("};")[0] + "};" if "};" in code else code


def section(comment, code):
    """A kernel-doc comment and its declaration, as lines of reStructuredText"""
    first, *rest = paragraphs(undecorated(comment.strip("\n")))
    summary = SUMMARY.match(first)
    if not summary:
        raise ValueError(f"no kernel-doc: {first}")
    kind, name, what = summary.groups()
    title = f"{kind} {name}" if kind else name
    yield from [f".. rubric:: ``{title}``", "", marked(what[0].upper() + what[1:]), ""]
    yield from [".. code-block:: c", ""]
    yield from ["   " + line.expandtabs(8) for line in declaration(code).split("\n")]
    yield ""
    for part in rest:
        member = MEMBER.match(part)
        if member:
            yield from [f"``{member[1]}``", "   " + marked(member[2]), ""]
        else:
            yield from [marked(part), ""]


class Uapi(Directive):
    """.. uapi:: FILE, relative to the directory above the documentation"""

    required_arguments = 1

    def run(self):
        env = self.state.document.settings.env
        path = os.path.join(os.path.dirname(env.srcdir), self.arguments[0])
        env.note_dependency(path)
        with open(path, encoding="utf-8") as header:
            text = header.read()
        lines = []
        for comment, code in COMMENT.findall(text):
            lines += section(comment, code)
        if not lines:
            raise self.error(f"{path} has no kernel-doc")
        parent = nodes.Element()
        self.state.nested_parse(StringList(lines, path), 0, parent)
        return parent.children


def setup(app):
    app.add_directive("uapi", Uapi)
    return {"parallel_read_safe": True}
