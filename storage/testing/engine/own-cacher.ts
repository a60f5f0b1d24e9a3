import type { Backend } from '../../backend.js';
import type { Cacher } from '../../cacher/cacher.js';
import { memoryStore, openMemory } from '../../memory/backend.js';

/** What a test of the cacher has for itself. */
export interface OwnCacher {
  /** An empty store in memory, which other servers may write, too. */
  backend: Backend;
  /** The test opens it, if it needs one. It is closed after the test. */
  cacher: Cacher | undefined;
}

/** A new store for each test of the suite. */
export function eachCacher(): OwnCacher {
  const own: OwnCacher = { backend: openMemory(), cacher: undefined };
  beforeEach(() => {
    own.backend = openMemory(memoryStore(), Date.now, true);
  });
  afterEach(async () => {
    await own.cacher?.close();
    own.cacher = undefined;
    await own.backend.close();
  });
  return own;
}
