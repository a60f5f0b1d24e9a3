'use strict';
// Mocha's spec reporter, closed by one plain line that scripts can read.
const { Spec } = require('mocha').reporters;

module.exports = class Closing extends Spec {
  epilogue() {
    super.epilogue();
    const { passes, failures, pending } = this.stats;
    console.log(`${passes} passed, ${failures} failed${pending > 0 ? `, ${pending} skipped` : ''}`);
  }
};
