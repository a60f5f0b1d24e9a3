import { expect } from 'chai';
import { CALLERS, type Caller } from '../../apis/testing/callers.js';
import type { Answer } from '../harness/answer.js';
import type { Cast } from './cast.js';
import type { Outcome, Row } from './table.js';

/** The request of one caller. `shows` is a name that the answer of a list must contain. */
export interface Try {
  readonly answer: Promise<Answer>;
  readonly shows?: string;
}

/** Prepares the request of a caller. `previous` is the outcome of the caller before. */
export type Prepare = (caller: Caller, previous: Outcome | undefined) => Promise<() => Try>;

/**
 * Sends the request of a row as every caller, and compares the outcomes with the row. Refused requests must write
 * nothing.
 */
export async function expectRow(cast: Cast, { expected }: Row, prepare: Prepare): Promise<void> {
  const outcomes: Partial<Record<Caller, Outcome>> = {};
  const words: string[] = [];
  let previous: Outcome | undefined;
  for (const caller of CALLERS) {
    const attempt = await prepare(caller, previous);
    const before = await cast.server.end();
    const { answer, shows } = attempt();
    const { status, text, failure } = await answer;
    const outcome = outcomeOf(status, text, shows);
    outcomes[caller] = outcome;
    previous = outcome;
    if (outcome !== expected[caller]) words.push(`${caller}: ${status} ${text.slice(0, 300)} ${failure}`);
    if (outcome !== 'yes') {
      expect(await cast.server.end(), `the end of the log after ${caller} got ${outcome}`).to.equal(before);
    }
  }
  expect(outcomes, words.join('\n')).to.deep.equal(expected);
}

function outcomeOf(status: number, text: string, shows: string | undefined): Outcome {
  if (status < 200 || status > 299) return status;
  return shows === undefined || text.includes(`"${shows}"`) ? 'yes' : 'none';
}
