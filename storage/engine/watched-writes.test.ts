import { expect } from 'chai';
import { Cacher } from '../cacher/cacher.js';
import { objectOf } from '../cacher/event.js';
import { openMemory } from '../memory/backend.js';
import { DEFINITIONS, FOLDERS, key, putAll, type TestObject } from '../testing/engine/resources.js';
import { watch } from '../testing/engine/watch-steps.js';
import { Engine } from './engine.js';

/** Commits of so many changes each, which are enough that a fault of one in a dozen shows. */
const SIZES = [1, 2, 3, 1, 7, 1, 1, 12, 5, 1, 2, 9];
const ALL = SIZES.reduce((sum, size) => sum + size);

describe('what a server writes itself', () => {
  const backend = openMemory();
  let cacher: Cacher;
  let engine: Engine;
  before(async () => {
    cacher = await Cacher.open(backend, { definitions: DEFINITIONS });
    engine = new Engine(backend, cacher, { catchUpWithin: 500 });
    let written = 0;
    for (const size of SIZES) {
      const name = (): string => `n${written++ % 17}`;
      await engine.transact(putAll(Array.from({ length: size }, () => ({ at: key(FOLDERS, name()), spec: {} }))));
    }
  });
  after(async () => {
    await engine.close();
    await cacher.close();
    await backend.close();
  });

  // Promise: contract 4.1
  it('reaches a watch once and in order, each change with a revision of its own', async () => {
    const { signal } = new AbortController();
    const seen: (readonly [string, string | undefined])[] = [];
    for await (const { deliveries } of watch(cacher, { resource: FOLDERS, after: 0, selects: () => true, signal })) {
      for (const delivery of deliveries) {
        const { name, resourceVersion } = (JSON.parse(Buffer.from(objectOf(delivery)).toString()) as TestObject)
          .metadata;
        seen.push([name, resourceVersion]);
      }
      if (seen.length >= ALL) break;
    }
    expect(seen).to.deep.equal(Array.from({ length: ALL }, (_, i) => [`n${i % 17}`, String(i + 1)]));
  });
});
