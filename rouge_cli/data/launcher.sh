#!/bin/sh
""":"
# ROUGE-1.5.5 without Perl: rouge-cli under the original's name. Runs as ./FILE and through an
# interpreter, whatever its name; what follows up to the quotes is for the shell, the rest is Python.
case $0 in */*) home=${0%/*} ;; *) home=. ;; esac
if [ -h "$0" ]; then home=$(dirname "$(readlink -f "$0")"); fi
for program in {programs}; do
    if [ -x "$program" ]; then ROUGE_CLI_HOME=$home; export ROUGE_CLI_HOME; exec "$program" "$@"; fi
done
for python in {interpreters}; do
    if command -v "$python" >/dev/null 2>&1; then exec "$python" "$0" "$@"; fi
done
echo "ROUGE-1.5.5.pl: {absence}" >&2
exit 127
"""

import os
import sys

if sys.version_info < (3, 10):
    sys.exit("ROUGE-1.5.5.pl: Python 3.10 or newer is needed, this is " + sys.version.split()[0])

HOME = os.path.dirname(os.path.realpath(__file__))
sys.path.append(os.path.dirname(HOME))  # a checkout that is not installed

try:
    from rouge_cli.__main__ import rouge155
except ImportError as error:
    sys.exit("ROUGE-1.5.5.pl: %s (for %s); {remedy}" % (error, sys.executable))

if __name__ == "__main__":
    rouge155(home=HOME)
