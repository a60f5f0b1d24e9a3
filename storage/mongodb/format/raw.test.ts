import { expect } from 'chai';
import { BSON, Double, Int32, Long } from 'mongodb';
import { thrownBy } from '../../testing/transfer/fixture.js';
import { storedOfBytes } from './raw.js';

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
  });
});
