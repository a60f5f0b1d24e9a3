import { expect } from 'chai';
import type { Bytes } from '../../backend.js';
import { type Current, json, key, loadAll, read, write } from './fixture.js';

const encode = (text: string): Bytes => new TextEncoder().encode(text);

/** Valid JSON that stores with their own data model refuse or change. */
const values: Readonly<Record<string, Bytes>> = {
  'a reference': json({ $ref: 'folders', $id: 1, $db: 'x', _id: 'y', $where: '1' }),
  'type tags': json({ _bsontype: 'ObjectId', $oid: '507f1f77bcf86cd799439011', $numberLong: '1', $date: 0 }),
  'keys with dots, dollars and nothing': json({ 'a.b': 1, 'a..b': 2, '.': 3, $: 4, a$b: 5, '': 6, 'a\u0000b': 7 }),
  'prototype keys': encode('{"__proto__":{"x":1},"constructor":{"prototype":{}},"toString":null}'),
  'NUL and control characters': json({ text: 'a\u0000b\u0001\u001f\u007f' }),
  'non-ASCII': json({ text: 'Grüße, 世界, 😀, e\u0301, \u200f, \ufeff, \uffff' }),
  'escapes kept as they were': encode('{"a":"\\u00e9\\/\\ud83d\\ude00","b":"\\ud800"}'),
  'numbers kept as they were': encode('[1.0,1e3,-0,12345678901234567890,0.1000,1E-400,9007199254740993]'),
  'order and repetition of keys': encode('{"b":1,"a":2,"10":3,"9":4,"b":5}'),
  whitespace: encode(' {\n\t"a" : [ ] }\r\n'),
  '180 levels': encode(`${'{"a":['.repeat(90)}${']}'.repeat(90)}`),
  'a bare text': json('text'),
  'an empty object': json({}),
  '3 MiB of small numbers': encode(`[${'1,'.repeat((3 * 1024 * 1024) / 2)}1]`),
};

function same(found: Bytes | undefined, wanted: Bytes): boolean {
  return found !== undefined && Buffer.compare(found, wanted) === 0;
}

/** A slice of Node's pool would keep 8 KiB alive for each small object in a cache. */
function ownsItsMemory(bytes: Bytes): boolean {
  return bytes.byteOffset === 0 && bytes.buffer.byteLength === bytes.byteLength;
}

export function bytesSuite(current: Current): void {
  describe('bytes', () => {
    for (const [what, value] of Object.entries(values)) {
      it(`are returned unchanged by every method: ${what}`, async () => {
        const opened = current();
        await write(opened.backend, [{ key: key('a'), value }]);
        await write(opened.backend, [
          { key: key('b'), value: 'other' },
          { key: key('a'), value },
        ]);
        const backend = await opened.reopen();
        const stored = (await backend.get([key('a')])).get(key('a'));
        const [loaded] = await loadAll(backend);
        const told = (await read(backend, 0, 3)).flatMap((commit) => commit.changes);
        for (const found of [stored, loaded, told[0], told[2], told[2]?.previous]) {
          expect(same(found?.value, value)).to.equal(true);
        }
      });
    }

    it('do not change when the caller reuses its buffer', async () => {
      const { backend } = current();
      const value = json({ text: 'first' });
      await write(backend, [{ key: key('a'), value }]);
      value.fill(0);
      expect(same((await backend.get([key('a')])).get(key('a'))?.value, json({ text: 'first' }))).to.equal(true);
      expect(same((await read(backend, 0, 1))[0]?.changes[0]?.value, json({ text: 'first' }))).to.equal(true);
    });

    it('do not change while others are read and written', async () => {
      const { backend } = current();
      await write(backend, [{ key: key('a'), value: 'a'.repeat(100) }]);
      const stored = (await backend.get([key('a')])).get(key('a'));
      for (let i = 0; i < 20; i++) await write(backend, [{ key: key('a'), value: `${i}`.repeat(100) }]);
      await loadAll(backend);
      expect(same(stored?.value, json('a'.repeat(100)))).to.equal(true);
    });

    it('own their memory', async () => {
      const { backend } = current();
      for (const value of ['1', '2']) await write(backend, [{ key: key('a'), value }]);
      const found = [...(await backend.get([key('a')])).values(), ...(await loadAll(backend))].map(
        (stored) => stored.value,
      );
      for (const { value, previous } of (await read(backend, 1, 2)).flatMap((commit) => commit.changes)) {
        if (value) found.push(value);
        if (previous) found.push(previous.value);
      }
      expect(found.map(ownsItsMemory)).to.deep.equal([true, true, true, true]);
    });

    it('of any keys are returned unchanged', async () => {
      const { backend } = current();
      const names = [
        'a.b',
        '$where',
        'a$b',
        '__proto__',
        'constructor',
        '..',
        'A',
        'a%2Fb',
        'a b',
        'ü',
        '😀',
        'x'.repeat(253),
      ];
      await write(
        backend,
        names.map((name) => ({ key: key(name), value: name })),
      );
      const found = await backend.get(names.map((name) => key(name)));
      for (const name of names) expect(same(found.get(key(name))?.value, json(name)), name).to.equal(true);
      expect((await loadAll(backend)).map((stored) => stored.key)).to.have.members(names.map((name) => key(name)));
      expect((await read(backend, 0, names.length))[0]?.changes.map((change) => change.key)).to.deep.equal(
        names.map((name) => key(name)),
      );
    });
  });
}
