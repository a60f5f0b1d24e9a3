'use strict';
const { Spec } = require('mocha').reporters;

/** Milliseconds for what the tests opened to close. */
const GRACE = 10_000;

// Mocha's spec reporter, closed by one plain line that scripts can read. Tests leave nothing running: what still keeps the process alive
// after them is named, and fails the run instead of holding it up forever.
module.exports = class Closing extends Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    const close = (failed) =>
      console.log(`${passes} passed, ${failed} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
    const atExit = () => close(failures);
    process.once('exit', atExit);
    setTimeout(() => {
      process.off('exit', atExit);
      console.log(`still open after the tests: ${process.getActiveResourcesInfo().join(', ')}`);
      close(failures + 1);
      process.exit(1);
    }, GRACE).unref();
  }
};
