import { expect } from 'chai';
import { Memo } from './memo.js';
import { resumed, Suspended } from './suspended.js';

describe('work that is not there yet', () => {
  const memo = new Memo<{ readonly value: number }>(2);
  const needed = (key: string): number => {
    const known = memo.get(key);
    if (known !== undefined) return known.value;
    throw new Suspended(async () => {
      const result = { value: key.length };
      memo.set(key, result, 2);
      return memo.hold(key, result);
    });
  };
  const run = async (attempt: () => number): Promise<number> => {
    try {
      return attempt();
    } catch (error) {
      return resumed(error as Suspended, attempt);
    }
  };

  it('is done, and then everything begins again with all results, however few are remembered', async () => {
    let attempts = 0;
    const attempt = (): number => {
      attempts++;
      return needed('a') + needed('bb') + needed('ccc');
    };
    expect([await run(attempt), attempts]).to.deep.equal([6, 4]);
    expect(['a', 'bb', 'ccc'].map((key) => memo.get(key)?.value)).to.deep.equal([undefined, undefined, 3]);
  });

  it('is the answer if it fails, and what is held is released', async () => {
    const failing = (): number => {
      needed('held');
      throw new Suspended(() => Promise.reject(new Error('no')));
    };
    expect(await run(failing).catch(String)).to.equal('Error: no');
    memo.set('other', { value: 1 }, 2);
    expect(memo.get('held')).to.equal(undefined);
  });

  it('ends if it never suffices', async () => {
    let count = 0;
    const answer = await run(() => needed(`new ${count++}`)).catch(({ code }: { code: number }) => code);
    expect([answer, count]).to.deep.equal([503, 25]);
  });
});
