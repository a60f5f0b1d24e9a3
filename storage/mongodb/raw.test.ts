import { expect } from 'chai';
import { BSON, Double, Int32, Long } from 'mongodb';
import { thrownBy } from '../testing/transfer/fixture.js';
import { hasRow, rowedOfBytes, rowOfBytes, storedOfBytes } from './raw.js';

const bytesOf = (document: BSON.Document): Buffer => Buffer.from(BSON.serialize(document));

describe('the bytes of a document', () => {
  it('give the object, with any text and revision', () => {
    for (const revision of [1, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1]) {
      for (const body of ['{}', '{"title":"Grüße 🙂\\u0000"}', 'x'.repeat(100_000), 'a\0b']) {
        const { key, value, ...rest } = storedOfBytes(bytesOf({ _id: 'things.x/über/a', revision, body }));
        expect([key, Buffer.from(value).toString(), rest.revision]).to.deep.equal(['things.x/über/a', body, revision]);
        expect(value.buffer.byteLength).to.equal(value.byteLength);
      }
    }
  });

  it('give the revision in every type of number, and fields in any order', () => {
    for (const revision of [new Int32(7), new Double(7), Long.fromNumber(7)]) {
      expect(storedOfBytes(bytesOf({ body: '{}', revision, _id: 'a' })).revision).to.equal(7);
    }
  });

  it('give a row with the key that is in it', () => {
    const { id, ...row } = rowOfBytes(bytesOf({ _id: 'byTime nä things.x/a b', part: 3 }));
    expect(row).to.deep.equal({ part: 3, rowKey: 'nä things.x/a b', key: 'things.x/a b' });
    expect(id.toString()).to.equal('byTime nä things.x/a b');
  });

  it('tell the rows of an object', () => {
    const rows = Array.from({ length: 12 }, (_, i) => `byTime nä${i} a`);
    const object = rowedOfBytes(bytesOf({ _id: 'a', revision: 1, index: rows, body: '{}' }));
    expect(object.stored.revision).to.equal(1);
    const has = (row: string): boolean => hasRow(object, Buffer.from(row));
    expect(rows.filter(has)).to.deep.equal(rows);
    expect(['byTime nä1', 'byTime nä12 a', 'nä1 a', 'byTime na1 a', ''].filter(has)).to.deep.equal([]);
    const plain = rowedOfBytes(bytesOf({ _id: 'a', revision: 1, body: '{}' }));
    expect(hasRow(plain, Buffer.from('byTime nä1 a'))).to.equal(false);
  });

  it('are refused if they are no object', () => {
    expect(() => storedOfBytes(bytesOf({ _id: 'a', revision: 1 }))).to.throw(/no object/);
    expect(() => storedOfBytes(bytesOf({ _id: 'a', revision: 1, body: ['x'] }))).to.throw(/type 4/);
    const wrong = [
      { _id: 1, revision: 1, body: '{}' },
      { _id: 'a', revision: '1', body: '{}' },
      { _id: 'a', revision: 1, body: 1 },
      { revision: 1, body: '{}' },
    ];
    for (const document of wrong) {
      expect(String(thrownBy(() => storedOfBytes(bytesOf(document))))).to.match(/no object of this server/);
    }
    for (const row of [{ _id: 'i t k' }, { _id: 1, part: 1 }, { _id: 'i t k', part: '1' }]) {
      expect(String(thrownBy(() => rowOfBytes(bytesOf(row))))).to.match(/no object of this server/);
    }
    expect(rowedOfBytes(bytesOf({ _id: 'a', index: 7, revision: 1, body: '{}' })).rows).to.equal(undefined);
  });
});
