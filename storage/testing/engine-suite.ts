import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Opened } from './backend-suite.js';
import { faultSuite } from './engine/faults.js';
import { World } from './engine/fixture.js';
import { historySuite } from './engine/history.js';
import { limitSuite } from './engine/limits.js';
import { modelSuite } from './engine/model.js';
import { revisionSuite } from './engine/revisions.js';
import { serverSuite } from './engine/servers.js';
import { stepSuite } from './engine/steps.js';
import { transactionSuite } from './engine/transactions.js';
import { watchSuite } from './engine/watch.js';

export interface EngineSuiteOptions {
  /** Number of runs of the randomized comparison with the model; fewer for a store that opens slowly. */
  readonly runs?: number;
  /** Timeout of each test in milliseconds. It only detects tests that hang; no test asserts a time. */
  readonly timeout?: number;
  /** Objects are kept in tables (`storage/tables`). By default, all are in memory. */
  readonly tables?: boolean;
}

/** The contract of the engine and the cache on any backend. Each test has a new, empty store. */
export function engineSuite(name: string, open: () => Promise<Opened>, options: EngineSuiteOptions = {}): void {
  describe(`engine on ${name}`, function () {
    this.timeout(options.timeout ?? 60_000);
    let world: World | undefined;
    let folder: string | undefined;
    const current = (): World => {
      if (world === undefined) throw new Error('The store is opened before each test and used inside tests only.');
      return world;
    };
    beforeEach(async () => {
      folder = options.tables === true ? mkdtempSync(join(tmpdir(), 'tables-')) : undefined;
      world = new World(await open(), folder);
    });
    afterEach(async () => {
      const { opened } = current();
      try {
        await current().check();
        await current().stop();
      } finally {
        world = undefined;
        await opened.destroy();
        if (folder !== undefined) rmSync(folder, { recursive: true });
      }
    });
    transactionSuite(current);
    revisionSuite(current);
    limitSuite(current);
    stepSuite(current);
    watchSuite(current);
    historySuite(current);
    faultSuite(current);
    serverSuite(current);
    modelSuite(open, options.runs ?? 10);
  });
}
