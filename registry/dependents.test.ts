import { expect } from 'chai';
import type { KubeObject } from '../pkg/meta/types.js';
import { StorageError } from '../storage/errors.js';
import { encodeTuple, rowKey } from '../storage/tuple.js';
import { Client } from './client.js';
import { dependentsOf, inPages, storedPages } from './dependents.js';
import { owners, owning } from './garbage/testing/collecting.js';
import type { Kind } from './kind.js';
import { OWNER_INDEX, type Registry } from './registry.js';
import { inWorld, refusal, type World } from './testing/world.js';
import { NO_DELETE_OPTIONS } from './write/delete.js';

const found = async (registry: Registry, owner: KubeObject): Promise<readonly string[]> => {
  const names: string[] = [];
  for await (const page of dependentsOf(registry, owner))
    names.push(...page.map(({ entry }) => entry.key.split('/').at(-1) ?? ''));
  return names;
};
const IN_FOREGROUND = { ...NO_DELETE_OPTIONS, propagation: 'Foreground' } as const;
/** As many rows of a store as there are, of which each read returns as many as it wants. */
function rowsOf(count: number): Registry {
  const rows = Array.from({ length: count }, (_, i) => {
    const key = `slips.library.svc.app/default/${String(i).padStart(4, '0')}` as never;
    return { rowKey: rowKey(encodeTuple(['u']), key), entry: { key } };
  });
  const range = async (_: string, { from, limit }: { readonly from: string; readonly limit: number }) =>
    rows.filter((row) => row.rowKey >= from).slice(0, limit);
  return { uncached: { range } } as unknown as Registry;
}

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

  it(
    'are those that name it by kind and name, too, each of them once',
    inWorld(async ({ kinds, put, registry }) => {
      const owner = await put(kinds.writer, 'w');
      await put(kinds.slip, 'own', {}, owners(owner));
      await put(kinds.slip, 'other', {}, owners(owning(owner, { name: 'x' })));
      const view: Kind = { ...kinds.slip, kind: 'View', conversion: { storageKind: '', convert: (object) => object } };
      expect(await found({ ...registry, kinds: [...registry.kinds, view] }, owner)).to.deep.equal(['own']);
    }),
  );

  it(
    'are found without reading those of others',
    inWorld(async ({ kinds, put, registry }) => {
      const [owner, other] = [await put(kinds.writer, 'w'), await put(kinds.writer, 'x')];
      await put(kinds.slip, 'own', {}, owners(owner));
      for (const name of ['a', 'b', 'c']) await put(kinds.slip, name, {}, owners(other));
      let read = 0;
      const range: Registry['uncached']['range'] = async (...all) => {
        const rows = await registry.uncached.range(...all);
        read += rows.length;
        return rows;
      };
      const counting = { ...registry, uncached: { range } as Registry['uncached'] };
      expect([await found(counting, owner), read]).to.deep.equal([['own'], 1]);
    }),
  );

  it(
    'are none of an object that has no uid yet',
    inWorld(async ({ kinds, put, registry }) => {
      const owner = await put(kinds.writer, 'w');
      await put(kinds.slip, 'own', {}, owners(owner));
      const { uid: _, ...metadata } = owner.metadata;
      expect(await found(registry, { ...owner, metadata })).to.deep.equal([]);
    }),
  );

  it('come in pages of 200, each of them once', async () => {
    const sizes = (count: number) => [...inPages(Array.from({ length: count }))].map(({ length }) => length);
    expect([0, 1, 200, 401].map(sizes)).to.deep.equal([[], [1], [200], [200, 200, 1]]);
    const keys: string[] = [];
    const lengths: number[] = [];
    const range = { index: OWNER_INDEX, from: encodeTuple(['u']), to: encodeTuple(['v']) };
    for await (const page of storedPages(rowsOf(401), { qualified: 'slips.library.svc.app' } as Kind, range)) {
      lengths.push(page.length);
      keys.push(...page.map(({ entry }) => entry.key));
    }
    expect([lengths, new Set(keys).size]).to.deep.equal([[200, 200, 1], 401]);
  });
});

describe('a deletion in the foreground', () => {
  const remove = ({ admin }: World, kind: Kind, name: string, client: Client = admin) =>
    client.delete(kind, kind.scope === 'Cluster' ? '' : 'default', name, IN_FOREGROUND);

  it(
    'goes at once if the object owns nothing, whatever others own',
    inWorld(async (world) => {
      const { kinds, put, get } = world;
      await put(kinds.slip, 'of-other', {}, owners(await put(kinds.writer, 'other')));
      for (const [kind, name] of [
        [kinds.writer, 'w'],
        [kinds.slip, 'alone'],
      ] as const) {
        await put(kind, name);
        expect((await remove(world, kind, name)).isGone, name).to.equal(true);
      }
      await put(kinds.slip, 'own', {}, owners(await put(kinds.writer, 'w')));
      expect((await remove(world, kinds.writer, 'w')).isGone).to.equal(false);
      expect(get(kinds.writer, 'w')?.metadata.finalizers).to.deep.equal(['foregroundDeletion']);
    }),
  );

  it(
    'of an object that is not there is a 404, and a store that fails is unavailable',
    inWorld(async (world) => {
      const { kinds, put, registry, admin } = world;
      expect(await refusal(remove(world, kinds.writer, 'none'))).to.match(/^404/);
      await put(kinds.writer, 'w');
      const range = () => Promise.reject(new StorageError('unavailable', 'no store'));
      const broken = { ...registry, uncached: { range } as unknown as Registry['uncached'] };
      expect(await refusal(remove(world, kinds.writer, 'w', new Client(broken, admin.options)))).to.match(/^503/);
    }),
  );
});
