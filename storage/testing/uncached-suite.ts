import type { Opened } from './backend/fixture.js';
import { concurrentSuite } from './uncached/concurrent.js';
import { exactSuite } from './uncached/exact.js';
import { World } from './uncached/fixture.js';
import { largeSuite } from './uncached/large.js';
import { randomSuite } from './uncached/random.js';

export interface UncachedSuiteOptions {
  /** Runs of the randomized comparison with the model: fewer for a store that opens slowly. */
  readonly runs?: number;
  /** How many objects the test of a large resource has. */
  readonly objects?: number;
  /** Milliseconds for each test, against hangs only. No test asserts a time. */
  readonly timeout?: number;
}

/** The contract of `UncachedReader` on a backend. Each test has a fresh, empty store. */
export function uncachedSuite(name: string, open: () => Promise<Opened>, options: UncachedSuiteOptions = {}): void {
  describe(`uncached resources on ${name}`, function () {
    this.timeout(options.timeout ?? 60_000);
    describe('on one store', () => {
      let world: World | undefined;
      const current = (): World => {
        if (world === undefined) throw new Error('The store is opened before each test and used inside tests only.');
        return world;
      };
      beforeEach(async () => {
        world = new World(await open());
      });
      afterEach(async () => {
        await world?.stop();
        await world?.opened.destroy();
        world = undefined;
      });
      exactSuite(current);
      concurrentSuite(current);
      largeSuite(current, options.objects ?? 100_000);
    });
    randomSuite(open, options.runs ?? 25);
  });
}
