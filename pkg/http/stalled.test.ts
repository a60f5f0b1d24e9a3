import { EventEmitter } from 'node:events';
import { expect } from 'chai';
import type { Context } from './pipeline.js';
import { StalledResponses } from './stalled.js';

class Response extends EventEmitter {
  writableLength = 0;
  isDestroyed = false;
  destroy(): void {
    this.isDestroyed = true;
  }
}

describe('a client that takes nothing of its response', () => {
  const stalledAfter = (lengths: readonly number[]): boolean => {
    const [responses, res] = [new StalledResponses(1000), new Response()];
    const ctx = { res } as unknown as Context;
    for (const [second, length] of lengths.entries()) {
      res.writableLength = length;
      responses.check(ctx, second * 1000);
    }
    return res.isDestroyed;
  };

  it('is cut off, also if it took a part before', () => {
    expect(stalledAfter([100, 100])).to.equal(true);
    expect(stalledAfter([100, 50, 50])).to.equal(true);
    expect(stalledAfter([100, 0, 100, 100, 100])).to.equal(true);
  });

  it('is not cut off while it takes some', () => {
    expect(stalledAfter([100, 90, 80, 70])).to.equal(false);
    expect(stalledAfter([100, 0, 100, 0, 100])).to.equal(false);
    expect(stalledAfter([0, 0, 0])).to.equal(false);
  });
});
