import { expect } from 'chai';
import { Checker } from './checker.js';
import { Held } from './held.js';
import { Memory } from './memory.js';
import { Queue } from './queue.js';
import { keyOf } from './resources.js';
import type { Target } from './target.js';

describe('a check of what a mirror has sent', () => {
  it('looks again whether what others had there is gone', async () => {
    const parts = { memory: new Memory(), queue: new Queue(), held: new Held() };
    const spec = {
      address: 'https://other.example',
      credential: { secret: 'other' },
      permissions: true,
      teams: false,
      preferences: false,
      existing: 'Keep',
      delete: true,
      check: { interval: '1h', drift: 'Report' },
    } as const;
    const key = keyOf('folder', 'theirs');
    parts.held.kept.add(key);
    await new Checker({ spec, target: {} as Target, ...parts }).runIfDue();
    expect(parts.queue.has(key)).to.equal(true);
  });
});
