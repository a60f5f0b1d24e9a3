"""Runs all tests, or those in the arguments. Prints the name of each with `passed`, or with `failed` and the reason."""

import logging
import os
import sys
import unittest

# The logs of clients are not part of the output.
logging.disable(logging.CRITICAL)


class Lines(unittest.TestResult):
    def addSuccess(self, test):
        print(f"{test._testMethodName} passed")

    def _failed(self, test, reason):
        print(f"{getattr(test, '_testMethodName', test)} failed\n{self._exc_info_to_string(reason, test)}")

    addError = addFailure = _failed


folder = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, folder)
loader = unittest.TestLoader()
if len(sys.argv) > 1:
    loader.testNamePatterns = [f"*.{name}" for name in sys.argv[1:]]
loader.discover(folder).run(Lines())
