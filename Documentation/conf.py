# SPDX-License-Identifier: GPL-2.0-only
# Copyright (C) 2026 The wavecrypt authors. All Rights Reserved.
"""How Sphinx makes a book of this: make docs"""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(HERE, "sphinx"))

with open(os.path.join(TOP, "driver", "uapi", "version.h"), encoding="utf-8") as header:
    release = re.search(r'WAVECRYPT_VERSION\s+"(.*)"', header.read()).group(1)

project = "wavecrypt"
author = "The wavecrypt authors"
project_copyright = f"2026 {author}"
version = release

extensions = ["uapi"]
exclude_patterns = ["sphinx"]
highlight_language = "none"
html_theme = "alabaster"
html_theme_options = {"description": "IPsec made fast by batching"}
html_show_sourcelink = False
nitpicky = True
