import { expect } from 'chai';
import fc from 'fast-check';
import { StorageError } from '../errors.js';
import { keyOf } from '../key.js';
import { type Entry, entryOf, loadedEntry, MemoryEntry } from './entry.js';
import type { ResourceDefinition } from './resource.js';

const KEY = keyOf('things.x', 'here', 'a');

function entryWith(value: Uint8Array): Entry {
  return new MemoryEntry(KEY, 1, value, { labels: undefined, fields: undefined }, [
    { index: 'b', tuple: 'two' },
    { index: 'a', tuple: 'one' },
  ]);
}

function expectBytes(bytes: Buffer): void {
  const entry = entryWith(Buffer.from(bytes));
  expect(entry.size).to.equal(bytes.length);
  expect(Buffer.from(entry.value)).to.deep.equal(bytes);
  const target = Buffer.alloc(bytes.length + 2, '.');
  entry.copy(target, 1);
  expect(target).to.deep.equal(Buffer.concat([Buffer.from('.'), bytes, Buffer.from('.')]));
}

describe('Entry', () => {
  it('gives the bytes that it was made of, any bytes', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => expectBytes(Buffer.from(bytes))));
    expectBytes(Buffer.from('{"title":"Grüße 🙂"}'));
  });

  // Promise: security tools
  it('is refused with its key if it is loaded and no server wrote it', () => {
    const value = Buffer.from('{"metadata"');
    for (const stored of [
      { key: KEY, revision: 1, value },
      { key: KEY, revision: 1, value, text: String(value) },
    ])
      expect(() => loadedEntry({} as ResourceDefinition, stored)).to.throw(StorageError, `stored object ${KEY} is not`);
  });

  it('does so for values of any size', () => {
    for (const size of [0, 16 * 1024, 16 * 1024 + 1, 300_000]) expectBytes(Buffer.alloc(size, 'aÿ\u0000', 'latin1'));
  });

  it('does not change when a buffer is used again', () => {
    const bytes = Buffer.from('before');
    const entry = entryWith(bytes);
    bytes.write('after!');
    entry.value.fill(0);
    expect(Buffer.from(entry.value).toString()).to.equal('before');
  });

  it('has its rows in their order', () => {
    const entry = entryWith(Buffer.from('{}'));
    expect(entry.rows.map(({ index, tuple }) => [index, tuple])).to.deep.equal([
      ['b', 'two'],
      ['a', 'one'],
    ]);
    expect(entry.rows.every((row) => row.key === entry.key)).to.equal(true);
  });

  it('is kept as characters if it is small, and takes more memory than its bytes', () => {
    const [small, large] = [16 * 1024, 16 * 1024 + 1].map((size) => entryWith(Buffer.alloc(size, 'a')));
    expect([small?.text, large?.text]).to.deep.equal(['a'.repeat(16 * 1024), undefined]);
    expect(entryWith(Buffer.from('{}')).footprint).to.equal(1026);
  });

  it('shares the rows of the entry that it replaces only if they are the same', () => {
    const withRows = (...rows: readonly (readonly [string, string])[]) =>
      new MemoryEntry(
        KEY,
        1,
        Buffer.from('{}'),
        { labels: undefined, fields: undefined },
        rows.map(([index, tuple]) => ({ index, tuple })),
      );
    const old = withRows(['a', '1'], ['b', '2']);
    const same = withRows(['a', '1'], ['b', '2']);
    expect([same.shareRows(old), same.firstRow]).to.deep.equal([true, old.firstRow]);
    for (const other of [
      withRows(['a', '1']),
      withRows(['a', '1'], ['b', '2'], ['c', '3']),
      withRows(['a', '1'], ['b', '3']),
      withRows(['c', '1'], ['b', '2']),
      withRows(['b', '2'], ['a', '1']),
      withRows(),
    ]) {
      const before = other.firstRow;
      expect([other.shareRows(old), other.firstRow === before]).to.deep.equal([false, true]);
    }
    expect(withRows().shareRows(withRows())).to.equal(true);
  });
});

describe('an entry that is made of stored bytes', () => {
  const definition: ResourceDefinition = {
    resource: 'things.x',
    extract: (object) => ({ labels: (object as { labels?: Record<string, string> }).labels, fields: undefined }),
    rows: (object) => [{ index: 'byTitle', tuple: (object as { title: string }).title }],
  };
  const object = { title: 'Grüße 🙂', labels: { a: 'b' } };
  const large = { ...object, text: 'x'.repeat(20_000) };

  it('has the attributes and the rows of the object', () => {
    for (const one of [object, large, { title: 'ascii', labels: { a: 'b' } }]) {
      const value = Buffer.from(JSON.stringify(one));
      const entry = entryOf(definition, KEY, 7, value);
      expect([entry.key, entry.revision, entry.attributes.labels, Buffer.from(entry.value)]).to.deep.equal([
        KEY,
        7,
        { a: 'b' },
        value,
      ]);
      expect(entry.rows.map(({ index, tuple, key }) => [index, tuple, key])).to.deep.equal([
        ['byTitle', one.title, KEY],
      ]);
      const { rows: _, ...rowless } = definition;
      expect(entryOf(rowless, KEY, 7, value).rows).to.deep.equal([]);
    }
  });

  it('is the same if the store gives a text', () => {
    const text = JSON.stringify({ title: 'ascii', labels: { a: 'b' } });
    const stored = { key: KEY, revision: 7, value: Buffer.from(text) };
    const [entry, same] = [stored, { ...stored, text }].map((one) => loadedEntry(definition, one));
    expect([same?.text, same?.attributes, same?.rows]).to.deep.equal([text, entry?.attributes, entry?.rows]);
  });
});
