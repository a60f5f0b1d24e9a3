import { expect } from 'chai';
import { decodeJson } from '../../json/decode.js';
import { Cancellation } from '../cancellation.js';
import type { Context } from '../request.js';
import { decodeLargeBody } from './decode-ahead.js';
import { inFlightOf } from './in-flight.js';

/** How many turns the event loop takes before the handler has the body. */
async function turnsBefore(text: string): Promise<{ turns: number; value: unknown }> {
  const body = Buffer.from(text);
  let [turns, value, isDone] = [0, undefined as unknown, false];
  const turn = (): void => {
    if (isDone) return;
    turns++;
    setImmediate(turn);
  };
  setImmediate(turn);
  const limits = { maxInFlight: 8, maxMutatingInFlight: 4, maxWatches: 2, maxQueued: 10, requestTimeout: 20_000 };
  const state = { body, user: { name: 'u', uid: 'u', groups: [], extra: {} }, cancellation: new Cancellation() };
  await decodeLargeBody(inFlightOf(limits))({ state } as unknown as Context, async () => {
    isDone = true;
    value = decodeJson(body).value;
  });
  return { turns, value };
}

describe('a large body', () => {
  const names = Object.fromEntries(Array.from({ length: 40_000 }, (_, i) => [`name ${i}`, i]));

  it('is decoded in steps, before the handler has it', async () => {
    const { turns, value } = await turnsBefore(JSON.stringify(names));
    expect(value).to.deep.equal(names);
    expect(turns).to.be.greaterThan(20);
  });

  it('is decoded in steps if it is one text', async () => {
    const text = 'ä"'.repeat(2_000_000);
    const { turns, value } = await turnsBefore(JSON.stringify([text]));
    expect(value).to.deep.equal([text]);
    expect(turns).to.be.greaterThan(20);
  });

  it('is decoded at once if it is small', async () => {
    expect(await turnsBefore('{"a": 1}')).to.deep.equal({ turns: 0, value: { a: 1 } });
  });
});
