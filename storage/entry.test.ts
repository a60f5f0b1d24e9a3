import { expect } from 'chai';
import fc from 'fast-check';
import { Entry } from './entry.js';
import { keyOf } from './key.js';

const KEY = keyOf('things.x', 'here', 'a');

function entryWith(value: Uint8Array): Entry {
  return new Entry(KEY, 1, value, { labels: undefined, fields: undefined }, [
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
});
