"""rouge-cli in place of rouge_score, in new processes that have this folder in
PYTHONPATH.
"""

import sys
from os.path import dirname

del sys.modules[__name__]
try:
    from rouge_cli.dialects.google import install_as_rouge_score
except ImportError:  # of another environment, which may have the original
    sys.path = [folder for folder in sys.path if folder != dirname(__file__)]
    __import__(__name__)
else:
    install_as_rouge_score()
