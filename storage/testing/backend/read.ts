import { expect } from 'chai';
import type { Stored } from '../../backend.js';
import type { Key } from '../../key.js';
import { type Current, key, loadAll, plainStored, RESOURCE, read, type Wish, write } from './fixture.js';

export function readSuite(current: Current): void {
  describe('get and load', () => {
    it('gets existing objects with their revisions', async () => {
      const { backend } = current();
      await write(backend, [
        { key: key('a'), value: '1' },
        { key: key('b'), value: '2' },
        { key: key('gone'), value: '3' },
      ]);
      await write(backend, [{ key: key('gone') }, { key: key('b'), value: '5' }]);
      const found = await backend.get([key('b'), key('gone'), key('never'), key('a')]);
      expect([...found.keys()].sort()).to.deep.equal([key('a'), key('b')]);
      expect([...found.values()].map(plainStored)).to.have.deep.members([
        { key: key('a'), revision: 1, value: '"1"' },
        { key: key('b'), revision: 5, value: '"5"' },
      ]);
      expect((await backend.get([])).size).to.equal(0);
    });

    it('takes keys that are longer than any object can have', async () => {
      const { backend } = current();
      await write(backend, [
        { key: key('a'), value: '1' },
        { key: key('c'), value: '2' },
      ]);
      const long = key('b'.repeat(5000));
      expect((await backend.get([long, key('a')])).size).to.equal(1);
    });

    it('loads exactly one resource in key order, and not resources with similar names', async () => {
      const { backend } = current();
      const neighbours = [`${RESOURCE}0`, `${RESOURCE}.x`, RESOURCE.slice(0, -1), `${RESOURCE}-`];
      const names = ['b', 'a', 'a-b', 'a.b', 'B', 'a0', 'aa', 'é', '😀', '\uffee'];
      await write(backend, [
        ...names.map((name): Wish => ({ key: key(name), value: name })),
        ...neighbours.map((resource): Wish => ({ key: key('a', resource), value: 'other' })),
        { key: `${RESOURCE}//cluster` as Key, value: 'cluster-scoped' },
      ]);
      const found = (await loadAll(backend)).map((stored) => stored.key);
      const wanted = [...names.map((name) => key(name)), `${RESOURCE}//cluster` as Key];
      expect(found).to.deep.equal(wanted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
      expect(await loadAll(backend, 'nothing')).to.deep.equal([]);
    });

    it('gives the exact state by load and tail while others write', async () => {
      const { backend } = current();
      const names = Array.from({ length: 2500 }, (_, i) => `n${String(i).padStart(5, '0')}`);
      for (let i = 0; i < names.length; i += 500) {
        await write(
          backend,
          names.slice(i, i + 500).map((name): Wish => ({ key: key(name), value: name.repeat(50) })),
        );
      }
      const start = await backend.end();
      const state = new Map<Key, Stored>();
      for await (const chunk of backend.load(RESOURCE)) {
        expect(chunk.length).to.be.lessThan(names.length);
        for (const stored of chunk) state.set(stored.key, stored);
        await write(backend, [
          { key: key('n00000'), value: `changed behind the reader ${state.size}` },
          { key: key('n02499'), value: `changed before the reader ${state.size}` },
          { key: key(`n00001-${state.size}`), value: 'new behind the reader' },
          { key: key(`n02400-${state.size}`), value: 'new before the reader' },
          { key: key('n01234') },
        ]);
      }
      for (const commit of await read(backend, start, await backend.end())) {
        for (const { key, revision, value } of commit.changes) {
          if ((state.get(key)?.revision ?? 0) >= revision) continue;
          if (value === undefined) state.delete(key);
          else state.set(key, { key, revision, value });
        }
      }
      const followed = [...state.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
      expect(followed.map(plainStored)).to.deep.equal((await loadAll(backend)).map(plainStored));
    });
  });

  describe('end', () => {
    it('never decreases and is never behind acknowledged writes', async () => {
      const { backend } = current();
      let acknowledged = 0;
      let writing = true;
      const watching = Array.from({ length: 3 }, async () => {
        let last = 0;
        while (writing) {
          const least = Math.max(acknowledged, last);
          last = await backend.end();
          expect(last).to.be.at.least(least);
          await new Promise(setImmediate);
        }
      });
      for (let i = 0; i < 60; i++) acknowledged = await write(backend, [{ key: key(`n${i % 7}`), value: `${i}` }]);
      writing = false;
      await Promise.all(watching);
      expect(await backend.end()).to.equal(60);
    });
  });
}
