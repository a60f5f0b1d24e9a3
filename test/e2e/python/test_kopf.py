"""Operators that are written with kopf, which keeps its state in annotations, and compares them."""

import os
import subprocess
import sys
import tempfile
import textwrap
import time
import unittest

from shared import FOLDERS, create, custom, name_of

HANDLER = f"""
import time
import kopf

@kopf.on.update("folder.svc.app", "v1beta1", "folders", field="spec.title")
def changed(name, new, **_):
    if name == "{name_of('kopf')}":
        print("RAN", new, flush=True)
        time.sleep(1.2)
"""


@unittest.skipIf(os.environ.get("WITH_KOPF") != "1", "kopf is installed with one version of the client only")
class Kopf(unittest.TestCase):
    def test_kopf_runs_a_slow_handler_once(self):
        create("kopf", title="one")
        with tempfile.NamedTemporaryFile("w", suffix=".py") as file, tempfile.TemporaryFile("w+") as output:
            file.write(textwrap.dedent(HANDLER))
            file.flush()
            command = [sys.executable, "-m", "kopf", "run", "--standalone", "-A", file.name]
            operator = subprocess.Popen(command, stdout=output, stderr=subprocess.DEVNULL)
            try:
                self._seen_by_kopf()
                custom.patch_namespaced_custom_object(**FOLDERS, name=name_of("kopf"), body={"spec": {"title": "two"}})
                # A handler that takes its own writes for changes would run again after each end.
                time.sleep(6)
            finally:
                operator.terminate()
                operator.wait(20)
            output.seek(0)
            runs = [line for line in output.read().splitlines() if line.startswith("RAN")]
        self.assertEqual(runs, ["RAN two"])

    def _seen_by_kopf(self):
        for _ in range(200):
            found = custom.get_namespaced_custom_object(**FOLDERS, name=name_of("kopf"))
            if any(key.startswith("kopf.zalando.org/") for key in found["metadata"].get("annotations", {})):
                return
            time.sleep(0.1)
        self.fail("kopf has not seen the folder")
