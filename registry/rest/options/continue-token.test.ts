import { expect } from 'chai';
import { refusal } from '../testing/requests.js';
import { decodeContinue, encodeContinue } from './continue-token.js';

const BINDING = ['folders', 'default', 'a=b', 'somebody'];
const TOKEN = { revision: 7, after: 'folders/default/x', given: 500 };

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decoded = (text: string): Record<string, unknown> => JSON.parse(Buffer.from(text, 'base64url').toString());

describe('a continue token', () => {
  it('leads to the next page of the same list', () => {
    for (const revision of [-1, 0, 7]) {
      const text = encodeContinue({ ...TOKEN, revision }, BINDING);
      expect(decodeContinue(text, BINDING)).to.deep.equal({ ...TOKEN, revision });
    }
  });

  it('is refused by another list, and by one whose parts are joined in another way', () => {
    const text = encodeContinue(TOKEN, BINDING);
    for (const other of [[...BINDING, ''], BINDING.slice(1), ['foldersdefault', 'a=b', 'somebody']])
      expect(refusal(() => decodeContinue(text, other))).to.deep.equal([400]);
  });

  it('is refused if it is none', () => {
    for (const text of ['', 'x', '%%%', encoded(null), encoded('text'), encoded({})])
      expect(
        refusal(() => decodeContinue(text, BINDING)),
        text,
      ).to.deep.equal([400]);
  });

  it('is refused if a part of it is out of bounds', () => {
    const good = decoded(encodeContinue(TOKEN, BINDING));
    expect(decodeContinue(encoded(good), BINDING)).to.deep.equal(TOKEN);
    const wrong = [
      { v: '2' },
      { rv: -2 },
      { rv: 1.5 },
      { after: 'x'.repeat(2001) },
      { given: -1 },
      { more: 1 },
      { for: 'x' },
    ];
    for (const part of wrong)
      expect(
        refusal(() => decodeContinue(encoded({ ...good, ...part }), BINDING)),
        JSON.stringify(part),
      ).to.deep.equal([400]);
  });

  it('may carry the longest key', () => {
    const token = { ...TOKEN, after: 'x'.repeat(2000) };
    expect(decodeContinue(encodeContinue(token, BINDING), BINDING)).to.deep.equal(token);
  });
});
