import { JobThread } from '../../../system/threads/job-thread.js';
import { SignOnFailure } from '../../signon/failure.js';
import { UnknownSignature } from '../failure.js';
import type { JobName, Jobs } from './jobs.js';
import type { Answer, Failure, Question } from './messages.js';

/** Milliseconds, in which the thread also starts. */
const PATIENCE = 10_000;
const MEGABYTES = 256;

const tooCostly = (): SignOnFailure =>
  new SignOnFailure('provider', 'a message of SAML takes too much time or memory to read');

/**
 * The thread of this process that has the library for SAML. The event loop neither loads that nor waits for it: a
 * response with 1,000 groups takes some tenths of a second, and who sends it may be anybody.
 */
const thread = new JobThread<Question, Answer>({
  code: new URL('./saml-thread.js', import.meta.url),
  patience: PATIENCE,
  megabytes: MEGABYTES,
  tooCostly,
});

type Output<Name extends JobName> = Awaited<ReturnType<Jobs[Name]>>;

/** Rejects with SignOnFailure. */
export async function runSaml<Name extends JobName>(
  job: Name,
  input: Parameters<Jobs[Name]>[0],
): Promise<Output<Name>> {
  const answer = await thread.run(() => ({ question: { job, input } }));
  if ('failure' in answer) throw failureOf(answer.failure);
  if ('fault' in answer) throw new Error(`The thread for SAML has failed: ${answer.fault}`);
  return answer.output as Output<Name>;
}

function failureOf({ code, message, cause, isUnknownSignature }: Failure): SignOnFailure {
  const Failed = isUnknownSignature ? UnknownSignature : SignOnFailure;
  return new Failed(code, message, cause === undefined ? undefined : new Error(cause));
}
