import { expect } from 'chai';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { ApiError } from '../../pkg/status/status.js';
import { Suspended } from '../client/suspended.js';
import { KindChanged } from '../write/write.js';
import { repeating } from './repeating.js';

const REQUEST = {} as ApiRequest;
const CHANGED = new KindChanged({ kind: 'Lamp', qualified: 'lamps.house.svc.app' });
const DONE = { status: 200 } as ApiResponse;

/** Runs a handler that fails so until its list of errors is empty, and says what came and how often it ran. */
async function outcomeOf(errors: readonly unknown[], isAsync: boolean) {
  let runs = 0;
  const handle = (): ApiResponse => {
    const error = errors[runs++];
    if (error !== undefined) throw error;
    return DONE;
  };
  const handler = repeating(isAsync ? async () => handle() : handle);
  const answer = await Promise.resolve()
    .then(() => handler(REQUEST))
    .catch((error: unknown) => error);
  return { answer, runs };
}

describe('a request that begins again', () => {
  const suspended = () => new Suspended(async () => () => undefined);

  it('is answered as soon as everything is there', async () => {
    for (const isAsync of [true, false])
      expect(await outcomeOf([suspended(), suspended()], isAsync)).to.deep.equal({ answer: DONE, runs: 3 });
  });

  it('is 503 with Retry-After if the last attempt lacks something, and 409 if its kind changed again', async () => {
    const others = Array.from({ length: 4 }, () => CHANGED);
    const { answer } = await outcomeOf([...others, suspended()], true);
    expect(answer).to.be.instanceOf(ApiError);
    expect(answer).to.deep.include({ code: 503, details: { retryAfterSeconds: 1 } });
    expect((await outcomeOf([...others, CHANGED], true)).answer).to.equal(CHANGED);
  });

  it('fails with any other error at once', async () => {
    const error = new Error('broken');
    for (const isAsync of [true, false])
      expect(await outcomeOf([error], isAsync)).to.deep.equal({ answer: error, runs: 1 });
  });
});
