'use strict';
const { writeFileSync } = require('node:fs');
const { Spec } = require('mocha').reporters;

/** Milliseconds in which everything that the tests opened must close. */
const GRACE = 10_000;

// Mocha's spec reporter with one last line for scripts, or with $TEST_COUNTS a file of the counts and failures instead. Tests must leave
// nothing open: if something keeps the process alive after them, the run fails and names it.
module.exports = class Closing extends Spec {
  constructor(runner, options) {
    super(runner, options);
    this.files = timed(runner);
    this.retried = [];
    runner.on('retry', (test, error) => {
      this.retried.push(`${test.fullTitle()}\n${error?.stack ?? error}`);
    });
  }

  epilogue() {
    super.epilogue();
    const { passes: passed, failures: failed, pending: skipped } = this.stats;
    const failures = this.failures.map((test) => `${test.fullTitle()}\n${test.err?.stack ?? test.err}`);
    const { files, retried } = this;
    const atExit = () => close({ passed, failed, skipped, failures, retried, files });
    process.once('exit', atExit);
    setTimeout(() => {
      process.off('exit', atExit);
      const open = `still open after the tests: ${process.getActiveResourcesInfo().join(', ')}`;
      console.log(open);
      close({ passed, failed: failed + 1, skipped, failures: [...failures, open], retried, files });
      process.exit(1);
    }, GRACE).unref();
  }
};

/** Milliseconds that each file took, with its hooks. */
function timed(runner) {
  const files = {};
  let began = 0;
  runner.on('suite', (suite) => {
    if (suite.parent?.root) began = Date.now();
  });
  runner.on('suite end', (suite) => {
    if (suite.parent?.root) files[suite.file] = (files[suite.file] ?? 0) + Date.now() - began;
  });
  return files;
}

function close({ failures, retried, files, ...counts }) {
  const { TEST_COUNTS: file } = process.env;
  const { passed, failed, skipped } = counts;
  if (file) writeFileSync(file, JSON.stringify({ ...counts, failures, retried, files }));
  else console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
