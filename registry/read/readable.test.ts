import { expect } from 'chai';
import { keyOf } from '../../storage/key.js';
import { ColdEntry } from '../../storage/testing/cold-entry.js';
import { Client } from '../client/client.js';
import { Retry } from '../signals/retry.js';
import { LAMP } from '../testing/house.js';
import { inWorld } from '../testing/world.js';
import { readable } from './readable.js';
import type { Entry } from './reader.js';

describe('a read that can begin again', () => {
  const coldEntries = (count: number) => {
    const loads: string[] = [];
    return { loads, entries: Array.from({ length: count }, (_, i) => new ColdEntry(`r/${i}`, loads)) };
  };

  it('does so after what only the disk has was loaded, with some of what follows', async () => {
    const { loads, entries } = coldEntries(1200);
    let restarts = 0;
    for (let isRead = false; !isRead; restarts++) {
      try {
        isRead = [...readable(entries, () => true)].length === entries.length;
      } catch (error) {
        await (error as Retry).ready?.();
      }
    }
    expect([restarts, loads.length]).to.deep.equal([4, 1200]);
  });

  it('does not load more than it was going to read', async () => {
    const { loads, entries } = coldEntries(2);
    expect(() => [...readable(entries.slice(0, 1), () => true, 'attributes')]).to.throw(Retry);
    expect(loads).to.deep.equal(['attributes of r/0']);
  });

  it('reads on where it cannot', () => {
    const { loads, entries } = coldEntries(3);
    expect([...readable(entries, undefined)]).to.deep.equal(entries);
    expect([...readable(entries, () => false)]).to.deep.equal(entries);
    expect(loads).to.deep.equal([]);
  });

  it(
    'is each read of objects, also of one, of a client that can begin again',
    inWorld(async ({ registry, admin }) => {
      const read = (isPossible: boolean, work: (objects: ReturnType<Client['objects']>) => unknown) => {
        const value = JSON.stringify({ metadata: { name: 'red', namespace: 'default' } });
        const entries: readonly Entry[] = [new ColdEntry(keyOf(LAMP.qualified, 'default', 'red'), [], {}, value)];
        const found = { entry: () => entries[0], inNamespace: () => entries, walk: () => entries };
        const reader = Object.assign(Object.create(registry.reader), found);
        const client = new Client({ ...registry, reader }, { ...admin.options, mayRetry: () => isPossible });
        return work(client.objects(LAMP, 'default'));
      };
      const reads = [
        (objects: ReturnType<Client['objects']>) => objects.find('red'),
        (objects: ReturnType<Client['objects']>) => objects.get('red'),
        (objects: ReturnType<Client['objects']>) => [...objects.list()],
        (objects: ReturnType<Client['objects']>) => [...objects.range()],
        (objects: ReturnType<Client['objects']>) => [...objects.contained('chest')],
      ];
      for (const one of reads) {
        expect(() => read(true, one)).to.throw(Retry);
        expect(JSON.stringify(read(false, one))).to.include('red');
      }
    }),
  );
});
