import { expect } from 'chai';
import { JobThread } from './job-thread.js';

/** Answers with what it gets. One message makes it fail. */
const CODE = `import { parentPort } from 'node:worker_threads';
parentPort.on('message', (question) => {
  if (question === 'fail') throw new Error('failed');
  parentPort.postMessage(question);
});`;

const thread = () =>
  new JobThread<string, string>({
    code: new URL(`data:text/javascript,${encodeURIComponent(CODE)}`),
    patience: 20_000,
    megabytes: 64,
    tooCostly: () => new Error('too costly'),
  });
const answerOf = (work: Promise<string>): Promise<string> => work.catch((error: Error) => error.message);

describe('a thread for jobs', () => {
  it('fails one job, and does the next one in another thread', async () => {
    const jobs = thread();
    const run = (question: string) => answerOf(jobs.run(() => ({ question })));
    expect(await Promise.all(['a', 'fail', 'b'].map(run))).to.deep.equal(['a', 'failed', 'b']);
  });
});
