import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../../system/errors/message.js';
import { SignOnFailure } from '../../signon/failure.js';
import { UnknownSignature } from '../failure.js';
import { JOBS } from './jobs.js';
import type { Answer, Question } from './messages.js';

/** What runs in the thread. It gets the next job when it has answered. */
parentPort?.on('message', async ({ job, input }: Question) => {
  const work = JOBS[job] as (input: unknown) => Promise<unknown>;
  parentPort?.postMessage(await work(input).then((output): Answer => ({ output }), answerOf));
});

function answerOf(error: unknown): Answer {
  if (!(error instanceof SignOnFailure)) return { fault: String(error) };
  const { code, message, cause } = error;
  const isUnknownSignature = error instanceof UnknownSignature;
  return { failure: { code, message, cause: cause === undefined ? cause : messageOf(cause), isUnknownSignature } };
}
