"""What names of variables look like."""

import re

NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SPECIAL = frozenset("@*#?-$!0123456789_")
