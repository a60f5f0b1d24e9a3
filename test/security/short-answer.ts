import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import type { CallOptions, Server } from '../harness/server.js';

/** What an answer to a wrong body may have at most (docs/security.md). */
const MOST_BYTES = 64 * 1024;
const MOST_CAUSES = 100;

/** The answer, and how often other work had its turn while the server made it. */
export async function answerWithTurns(
  server: Server,
  method: string,
  path: string,
  options: CallOptions,
): Promise<{ readonly answer: Answer; readonly turns: number }> {
  let turns = 0;
  let counting = setImmediate(function count() {
    turns++;
    counting = setImmediate(count);
  });
  try {
    const answer = await server.call(method, path, options);
    return { answer, turns };
  } finally {
    clearImmediate(counting);
  }
}

/** Whether a refusal has its bounds, whatever made it. */
export function expectBounded({ text }: Pick<Answer, 'text'>): void {
  expect(Buffer.byteLength(text), text.slice(0, 300)).to.be.at.most(MOST_BYTES);
  const { details } = JSON.parse(text) as { readonly details?: { readonly causes?: readonly unknown[] } };
  expect(details?.causes ?? []).to.have.length.at.most(MOST_CAUSES);
}
