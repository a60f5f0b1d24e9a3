import { expect } from 'chai';
import { z } from 'zod';
import { convertZod } from '../openapi/zod.js';
import { arrayOf, recordOf } from './bounded.js';

describe('arrayOf and recordOf', () => {
  const Schema = z.strictObject({
    list: arrayOf(z.strictObject({ name: z.string() }), 2).nullish(),
    map: recordOf(z.string(), 2).optional(),
  });
  const codesOf = (value: unknown) => Schema.safeParse(value).error?.issues.map(({ code, path }) => [code, ...path]);

  it('take what fits', () => {
    const value = { list: [{ name: 'a' }, { name: 'b' }], map: { a: 'x', b: 'y' } };
    expect(Schema.parse(value)).to.deep.equal(value);
    expect(Schema.parse({ list: null })).to.deep.equal({ list: null });
    expect(Schema.parse({})).to.deep.equal({});
  });

  it('report wrong elements and types like zod', () => {
    expect(codesOf({ list: [{ name: 1 }], map: [] })).to.deep.equal([
      ['invalid_type', 'list', 0, 'name'],
      ['invalid_type', 'map'],
    ]);
    expect(codesOf({ list: {} })).to.deep.equal([['invalid_type', 'list']]);
  });

  it('do not look at the elements of what is too long', () => {
    const wrong = { list: Array.from({ length: 100_000 }, () => ({})), map: { a: 1, b: 2, c: 3 } };
    expect(codesOf(wrong)).to.deep.equal([
      ['too_big', 'list'],
      ['too_big', 'map'],
    ]);
  });

  it('are described with their elements and bounds', () => {
    const { schemas } = convertZod(z.object({ list: arrayOf(z.string(), 7) }), 'p', 'X');
    expect(schemas['p.X']).to.deep.include({
      properties: { list: { type: 'array', maxItems: 7, items: { type: 'string' } } },
    });
  });
});
