import { expect } from 'chai';
import { Cancellation } from '../../pkg/http/request.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { Memo } from '../client/memo.js';
import { keptAnyway, MOST_RETRIES, Retries, Retry, retrying } from './retry.js';

/**
 * The answer of attempts that throw these errors one after the other, or the error that it is, and how many were made.
 */
async function outcomeOf(errors: readonly unknown[], isAsync: boolean, onLast?: () => void) {
  let attempts = 0;
  const attempt = (): string => {
    const error = errors[attempts++];
    if (error !== undefined) throw error;
    return 'done';
  };
  const answer = await Promise.resolve()
    .then(() => retrying<unknown>(isAsync ? async () => attempt() : attempt, onLast && { onLast }))
    .catch((error: unknown) => error);
  return { answer, attempts };
}

const missing = () => new Retry('it is missing', keptAnyway(Promise.resolve()));
const outdated = () => new Retry('the definition has changed');

function throwAll(errors: readonly unknown[]): void {
  const retries = new Retries();
  for (const error of errors) retries.take(error);
  retries.throwAll();
}

describe('what begins again', () => {
  const memo = new Memo<{ readonly value: number }>(2);
  const needed = (key: string): number => {
    const known = memo.get(key);
    if (known !== undefined) return known.value;
    throw new Retry('it is missing', async () => {
      const result = { value: key.length };
      memo.set(key, result, 2);
      return memo.hold(key, result);
    });
  };

  it('finds all results that it waited for, however few are remembered', async () => {
    let attempts = 0;
    const attempt = (): number => {
      attempts++;
      return needed('a') + needed('bb') + needed('ccc');
    };
    expect([await retrying(attempt), attempts]).to.deep.equal([6, 4]);
    expect(['a', 'bb', 'ccc'].map((key) => memo.get(key)?.value)).to.deep.equal([undefined, undefined, 3]);
  });

  it('is answered with the error of the work if it fails, and what is held is released', async () => {
    const failing = (): number => {
      needed('held');
      throw new Retry('it fails', () => Promise.reject(new Error('no')));
    };
    expect(await Promise.resolve(retrying(failing)).catch(String)).to.equal('Error: no');
    memo.set('other', { value: 1 }, 2);
    expect(memo.get('held')).to.equal(undefined);
  });

  it('begins again once for several things, a few of them at a time', async () => {
    let [attempts, running, most] = [0, 0, 0];
    const made = new Set<number>();
    const make = async (i: number) => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
      made.add(i);
      return () => made.delete(i);
    };
    const attempt = (): string => {
      attempts++;
      const missing = Array.from({ length: 100 }, (_, i) => i).filter((i) => !made.has(i));
      throwAll(missing.map((i) => new Retry('it is missing', () => make(i))));
      return 'done';
    };
    expect(await retrying(attempt)).to.equal('done');
    expect([attempts, made.size]).to.deep.equal([2, 0]);
    expect(most).to.be.within(2, 16);
  });

  it('is answered with the error of one of several things, and makes and keeps no more', async () => {
    let [made, kept] = [0, 0];
    const make = (i: number) => async () => {
      made++;
      await new Promise(setImmediate);
      if (i === 3) throw new Error('no');
      kept++;
      return () => kept--;
    };
    const retries = Array.from({ length: 100 }, (_, i) => new Retry('it is missing', make(i)));
    const failed = Promise.resolve(retrying(() => throwAll(retries)));
    expect(await failed.catch(String)).to.equal('Error: no');
    expect(kept).to.equal(0);
    expect(made).to.be.below(40);
    expect(() => throwAll([missing(), outdated()]), 'what cannot be waited for').to.throw('has changed');
  });

  it('makes nothing more for somebody who has given up', async () => {
    const signal = new Cancellation();
    let made = 0;
    const make = async () => {
      if (++made === 20) signal.abort(new Error('given up'));
      return () => undefined;
    };
    const retries = Array.from({ length: 100 }, () => new Retry('it is missing', make));
    const failed = Promise.resolve(retrying(() => throwAll(retries), { signal }));
    expect(await failed.catch(String)).to.equal('Error: given up');
    expect(made).to.be.below(40);
  });

  it('ignores errors that may follow from what is missing', () => {
    const retries = new Retries();
    expect(retries.take(new Error('first'))).to.equal(false);
    expect([retries.take(missing()), retries.take(new Error('later'))]).to.deep.equal([true, true]);
  });

  it('is answered as soon as everything is there', async () => {
    for (const isAsync of [true, false])
      expect(await outcomeOf([missing(), outdated(), missing()], isAsync)).to.deep.equal({
        answer: 'done',
        attempts: 4,
      });
  });

  it('is answered with 503 and Retry-After at the limit, whatever it waits for', async () => {
    for (const isAsync of [true, false])
      for (const last of [missing, outdated]) {
        const errors = [...Array.from({ length: MOST_RETRIES }, outdated), last(), missing()];
        const { answer, attempts } = await outcomeOf(errors, isAsync);
        expect(answer).to.be.instanceOf(ApiError);
        expect(answer).to.deep.include({ code: 503, details: { retryAfterSeconds: 1 } });
        expect(attempts).to.equal(MOST_RETRIES + 1);
      }
  });

  it('is told before its last attempt', async () => {
    for (const count of [MOST_RETRIES - 1, MOST_RETRIES]) {
      let told = 0;
      await outcomeOf(Array.from({ length: count }, missing), true, () => void told++);
      expect(told).to.equal(count === MOST_RETRIES ? 1 : 0);
    }
  });

  it('is not begun again after what it cannot wait for, or after any other error', async () => {
    const accepts = ({ ready }: Retry): boolean => ready !== undefined;
    const errors = [missing(), outdated()];
    const attempt = (): never => {
      throw errors.shift();
    };
    expect((await Promise.resolve(retrying(attempt, { accepts })).catch(String)) as unknown).to.include('has changed');
    const error = new Error('broken');
    for (const isAsync of [true, false])
      expect(await outcomeOf([error], isAsync)).to.deep.equal({ answer: error, attempts: 1 });
  });
});
