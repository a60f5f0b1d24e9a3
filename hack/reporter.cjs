'use strict';
const { writeFileSync } = require('node:fs');
const { Spec } = require('mocha').reporters;

/** Milliseconds for what the tests opened to close. */
const GRACE = 10_000;

// Mocha's spec reporter, closed by one plain line that scripts can read, or with $TEST_COUNTS by a file of the counts. Tests leave nothing
// running: what still keeps the process alive after them is named, and fails the run instead of holding it up forever.
module.exports = class Closing extends Spec {
  epilogue() {
    super.epilogue();
    const { passes: passed, failures: failed, pending: skipped } = this.stats;
    const atExit = () => close({ passed, failed, skipped });
    process.once('exit', atExit);
    setTimeout(() => {
      process.off('exit', atExit);
      console.log(`still open after the tests: ${process.getActiveResourcesInfo().join(', ')}`);
      close({ passed, failed: failed + 1, skipped });
      process.exit(1);
    }, GRACE).unref();
  }
};

function close(counts) {
  const { TEST_COUNTS: file } = process.env;
  if (file) writeFileSync(file, JSON.stringify(counts));
  else
    console.log(
      `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
    );
}
