import { appendSuite } from './backend/append.js';
import { bytesSuite } from './backend/bytes.js';
import { chainSuite } from './backend/chain.js';
import { compactSuite } from './backend/compact.js';
import { competitionSuite } from './backend/competition.js';
import type { Opened } from './backend/fixture.js';
import { lifeSuite } from './backend/life.js';
import { materializeSuite } from './backend/materialize.js';
import { modelSuite } from './backend/model.js';
import { readSuite } from './backend/read.js';
import { tailSuite } from './backend/tail.js';

export type { Opened } from './backend/fixture.js';

export interface BackendSuiteOptions {
  /** Number of runs of the randomized comparison with the model; fewer for a store that opens slowly. */
  readonly runs?: number;
  /** Timeout of each test in milliseconds. It only detects tests that hang; no test asserts a time. */
  readonly timeout?: number;
}

/** The contract of `Backend` as tests, which every backend must pass. Each test has a new, empty store. */
export function backendSuite(name: string, open: () => Promise<Opened>, options: BackendSuiteOptions = {}): void {
  describe(`backend ${name}`, function () {
    this.timeout(options.timeout ?? 60_000);
    let opened: Opened | undefined;
    const current = (): Opened => {
      if (opened === undefined) throw new Error('The store is opened before each test and used inside tests only.');
      return opened;
    };
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened?.destroy();
      opened = undefined;
    });
    appendSuite(current);
    chainSuite(current);
    readSuite(current);
    tailSuite(current);
    compactSuite(current);
    materializeSuite(current);
    lifeSuite(current);
    bytesSuite(current);
    competitionSuite(current);
    modelSuite(open, options.runs ?? 10);
  });
}
