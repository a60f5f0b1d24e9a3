'use strict';
const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { Spec } = require('mocha').reporters;

/** So many places of the code are kept with each error. */
const FRAMES = 20;

/** Milliseconds in which everything that the tests opened must close. */
const GRACE = 10_000;

// Mocha's spec reporter with one last line for scripts, or with $TEST_COUNTS a file of the counts and failures instead. Tests must leave
// nothing open: if something keeps the process alive after them, the run fails and names it.
module.exports = class Closing extends Spec {
  constructor(runner, options) {
    super(runner, options);
    // Mocha keeps whole stacks, which takes a twentieth of the time of suites in which many requests are refused.
    Error.stackTraceLimit = FRAMES;
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

/** What each file took, with its hooks: milliseconds, and milliseconds of processors by the tests and the programs that they started. */
function timed(runner) {
  const files = {};
  let [began, usedBefore] = [0, 0];
  runner.on('suite', (suite) => {
    if (suite.parent?.root) [began, usedBefore] = [Date.now(), processorTime()];
  });
  runner.on('suite end', (suite) => {
    if (!suite.parent?.root) return;
    const { time = 0, processor = 0 } = files[suite.file] ?? {};
    files[suite.file] = {
      time: time + Date.now() - began,
      processor: processor + Math.max(0, processorTime() - usedBefore),
    };
  });
  return files;
}

/** Milliseconds of a tick in /proc (USER_HZ is 100 on all platforms that Node supports). */
const TICK = 10;

/** Milliseconds of processors that this process and its descendants have used, with those that have ended. 0 on systems without /proc. */
function processorTime() {
  const processes = new Map();
  try {
    for (const pid of readdirSync('/proc')) if (/^\d+$/.test(pid)) processes.set(Number(pid), statOf(pid));
  } catch {
    return 0;
  }
  let ticks = 0;
  const family = new Set([process.pid]);
  // A set is walked with the members that are added meanwhile.
  for (const pid of family) {
    ticks += processes.get(pid)?.ticks ?? 0;
    for (const [child, stat] of processes) if (stat?.parent === pid) family.add(child);
  }
  return ticks * TICK;
}

/** proc(5): the name of the program may have spaces. utime, stime, cutime and cstime are fields 14 to 17. */
function statOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return { parent: Number(fields[1]), ticks: fields.slice(11, 15).reduce((sum, one) => sum + Number(one), 0) };
  } catch {
    return undefined;
  }
}

function close({ failures, retried, files, ...counts }) {
  const { TEST_COUNTS: file } = process.env;
  const { passed, failed, skipped } = counts;
  if (file) writeFileSync(file, JSON.stringify({ ...counts, failures, retried, files }));
  else console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
}
