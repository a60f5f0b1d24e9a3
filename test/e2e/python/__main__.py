"""Runs all tests, or those that the arguments name, and prints a line for each: its name and `passed`, or `failed` with the reason."""

import logging
import os
import sys
import unittest

# What clients log belongs to no test.
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
