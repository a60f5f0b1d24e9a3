import { expect } from 'chai';
import { dependentsOf } from './dependents.js';
import { inWorld } from './testing/world.js';

describe('the objects that name an object as one of their owners', () => {
  it(
    'are found in memory, and in the store only for the kinds that are not in memory',
    inWorld(async ({ kinds, put, registry }) => {
      const { apiVersion, kind, metadata } = await put(kinds.writer, 'w');
      const owner = { apiVersion, kind, name: 'w', uid: metadata.uid ?? '' };
      for (const one of [kinds.book, kinds.slip]) await put(one, 'owned', {}, { ownerReferences: [owner] });
      await put(kinds.slip, 'alone');
      const asked: string[] = [];
      const uncached = {
        range: (...all: Parameters<typeof registry.uncached.range>) => {
          asked.push(all[0]);
          return registry.uncached.range(...all);
        },
      } as typeof registry.uncached;
      const found: string[] = [];
      for await (const page of dependentsOf({ ...registry, uncached }, { apiVersion, kind, metadata }))
        found.push(...page.map(({ entry }) => entry.key));
      expect(found).to.deep.equal([kinds.book, kinds.slip].map(({ qualified }) => `${qualified}/default/owned`));
      expect(asked.sort()).to.deep.equal([kinds.retained.qualified, kinds.slip.qualified].sort());
    }),
  );
});
