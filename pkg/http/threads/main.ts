import { parentPort } from 'node:worker_threads';
import { ApiError } from '../../kube/status/status.js';
import { JOBS } from './jobs.js';
import type { Answer, Question } from './messages.js';

/** What runs in a thread: one job after another. */
parentPort?.on('message', (question: Question) => {
  const result = answer(() => ({ output: JOBS[question.job](question) }));
  parentPort?.postMessage(result, result.output === undefined ? [] : [result.output.bytes.buffer as ArrayBuffer]);
});

function answer(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof ApiError)) return { fault: String(error) };
    const { code, reason, message } = error;
    return { refusal: { code, reason, message } };
  }
}
