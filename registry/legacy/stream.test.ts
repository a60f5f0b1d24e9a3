import { expect } from 'chai';
import type { ApiResponse } from '../../pkg/http/handler.js';
import { each, okArray } from './stream.js';

async function partsOf({ body }: ApiResponse): Promise<readonly string[]> {
  if (body instanceof Uint8Array) return [Buffer.from(body).toString()];
  const parts: string[] = [];
  for await (const part of body ?? []) parts.push(Buffer.from(part).toString());
  return parts;
}

describe('an array of the legacy API', () => {
  it('is one text if it is short', async () => {
    for (const items of [[], [1], ['a', { b: [null] }]])
      expect(await partsOf(okArray(items))).to.deep.equal([JSON.stringify(items)]);
  });

  it('is sent in parts if it is long, and made while it is sent', async () => {
    let made = 0;
    const items = Array.from({ length: 3000 }, (_, i) => ({ i, text: 'ü'.repeat(100) }));
    const counted = each(items, (item) => {
      made++;
      return item;
    });
    const answer = okArray(counted);
    expect(made).to.be.below(items.length);
    const parts = await partsOf(answer);
    expect(parts.length).to.be.greaterThan(3);
    expect(JSON.parse(parts.join(''))).to.deep.equal(items);
  });
});
