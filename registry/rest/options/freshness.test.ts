import { expect } from 'chai';
import type { ApiRequest } from '../../../pkg/http/handler.js';
import type { Cacher } from '../../../storage/cacher/cacher.js';
import { requestTo } from '../../testing/served.js';
import { awaitCaller, awaitRevision } from './freshness.js';

interface Given {
  readonly shared?: boolean;
  readonly reach?: (revision: number, signal: AbortSignal) => Promise<void>;
}

/** A cache at revision 7. */
function cacherWith({ shared = false, reach = async () => undefined }: Given): {
  readonly cacher: Cacher;
  readonly asked: unknown[];
} {
  const asked: unknown[] = [];
  const cacher = {
    shared,
    state: { revision: 7 },
    fresh: async () => void asked.push('fresh'),
    reach: async (revision: number, signal: AbortSignal) => {
      asked.push(revision);
      await reach(revision, signal);
    },
  };
  return { cacher: cacher as unknown as Cacher, asked };
}

const request = (more: Partial<ApiRequest> = {}): ApiRequest => ({ ...requestTo('GET', '/'), ...more });
const failure = async (work: Promise<unknown> | undefined): Promise<{ code?: number; message: string }> => {
  try {
    await work;
  } catch (error) {
    return error as { code?: number; message: string };
  }
  throw new Error('it did not fail');
};

describe('a read', () => {
  it('of the most recent state waits for the store only if other servers write to it', async () => {
    const alone = cacherWith({});
    expect(awaitRevision(alone.cacher, undefined, request())).to.equal(undefined);
    const shared = cacherWith({ shared: true });
    await awaitRevision(shared.cacher, undefined, request());
    expect(shared.asked).to.deep.equal(['fresh']);
    expect(awaitRevision(shared.cacher, undefined, request({ isCaughtUp: true }))).to.equal(undefined);
  });

  it('of a revision that is there does not wait', () => {
    const { cacher, asked } = cacherWith({ shared: true });
    for (const wanted of [0, 6, 7]) expect(awaitRevision(cacher, wanted, request())).to.equal(undefined);
    expect(asked).to.deep.equal([]);
  });

  it('of a later revision waits for it', async () => {
    const { cacher, asked } = cacherWith({});
    await awaitRevision(cacher, 8, request());
    expect(asked).to.deep.equal([8]);
  });

  it('of a revision that no store can have fails at once', async () => {
    const { cacher, asked } = cacherWith({});
    const { code, message } = await failure(awaitRevision(cacher, 9_007_199_254_740_993n, request()));
    expect(code).to.equal(504);
    expect(message).to.include('9007199254740993').and.include('7');
    expect(asked).to.deep.equal([]);
  });

  it('ends with the request, and tells other failures as they are', async () => {
    const gone = new AbortController();
    const waiting = (_: number, signal: AbortSignal) =>
      new Promise<void>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('aborted')));
        gone.abort();
      });
    const { cacher } = cacherWith({ reach: waiting });
    const ended = await failure(awaitRevision(cacher, 8, request({ signal: gone.signal })));
    expect([ended.code, ended.message]).to.deep.equal([504, 'the request ended while it was waiting for the store']);
    const broken = cacherWith({ reach: async () => Promise.reject(new Error('broken')) });
    expect((await failure(awaitRevision(broken.cacher, 8, request()))).message).to.equal('broken');
  });

  it('waits no longer than three seconds', async () => {
    let limit: AbortSignal | undefined;
    const { timeout } = AbortSignal;
    const over = new AbortController();
    const times: number[] = [];
    AbortSignal.timeout = (time) => {
      times.push(time);
      return over.signal;
    };
    try {
      const reach = (_: number, signal: AbortSignal) => {
        limit = signal;
        over.abort();
        return Promise.reject(new Error('aborted'));
      };
      const { code, message } = await failure(awaitRevision(cacherWith({ reach }).cacher, 8, request()));
      expect([code, times, limit?.aborted]).to.deep.equal([504, [3000], true]);
      expect(message).to.include('8');
    } finally {
      AbortSignal.timeout = timeout;
    }
  });
});

describe('a decision outside of a commit', () => {
  it('first finds the caller again, if the caller may have changed', async () => {
    const { cacher, asked } = cacherWith({ shared: true });
    let found = 0;
    await awaitCaller(cacher, request({ identifyAgain: async () => void found++ }));
    expect([found, asked]).to.deep.equal([1, []]);
  });

  it('otherwise catches up, and refuses a caller who is no longer valid', async () => {
    const { cacher, asked } = cacherWith({ shared: true });
    await awaitCaller(cacher, request());
    expect(asked).to.deep.equal(['fresh']);
  });
});
