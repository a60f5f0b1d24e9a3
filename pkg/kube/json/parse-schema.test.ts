import { expect } from 'chai';
import { z } from 'zod';
import { issuesWithMessages, parseSchema } from './parse-schema.js';

describe('a value and its schema', () => {
  it('have the data, or the issues that zod itself finds', () => {
    const schema = z.strictObject({ a: z.string().default('x'), b: z.number() });
    expect(parseSchema(schema, { b: 1 })).to.deep.equal({ data: { a: 'x', b: 1 }, issues: [] });
    for (const wrong of [{ b: 'x', c: 1 }, { a: null, b: 1 }, [], null]) {
      const { issues } = schema.safeParse(wrong, { reportInput: true }).error ?? {};
      expect(issuesWithMessages(parseSchema(schema, wrong).issues)).to.deep.equal(issues);
    }
  });

  it('have a hundred messages if more is wrong', () => {
    let messages = 0;
    const wrong = z.string({
      error: () => {
        messages++;
        return 'no text';
      },
    });
    const { issues } = parseSchema(
      z.array(wrong),
      Array.from({ length: 40_000 }, (_, i) => i),
    );
    expect([issues.length, issuesWithMessages(issues).length, messages]).to.deep.equal([40_000, 100, 100]);
  });
});
