import { ApiError } from '../../kube/status/status.js';
import { JobThread } from '../../system/threads/job-thread.js';
import type { Output } from './jobs.js';
import type { Answer, Question } from './messages.js';

const CODE = new URL('./thread.js', import.meta.url);
/** Milliseconds. The most costly jobs that the limits admit take some seconds. */
const PATIENCE = 20_000;
const MEGABYTES = 768;

/** Does jobs about documents one after another beside the event loop. */
export class SideThread {
  readonly #thread: JobThread<Question, Answer>;

  constructor(patience = PATIENCE) {
    this.#thread = new JobThread({ code: CODE, patience, megabytes: MEGABYTES, tooCostly });
  }

  /**
   * Rejects with 413 if the job takes too much time or memory, and with what it throws. It is not begun if nobody wants
   * it when its turn comes.
   */
  async run(question: Question, cancellation?: Pick<AbortSignal, 'aborted' | 'reason'>): Promise<Output> {
    const send = () => {
      // A view would be sent with all bytes of its buffer, of which it may be a small part.
      const bytes = new Uint8Array(question.bytes);
      return { question: { ...question, bytes }, moved: [bytes.buffer] };
    };
    return outputOf(await this.#thread.run(send, cancellation));
  }
}

function outputOf({ output, refusal, fault }: Answer): Output {
  if (refusal !== undefined) throw new ApiError(refusal);
  if (output === undefined) throw new Error(`A thread has failed: ${fault}`);
  return output;
}

function tooCostly(): ApiError {
  const message =
    'Request entity too large: the document takes too much time or memory; use JSON, or divide it into smaller ones';
  return new ApiError({ code: 413, reason: 'RequestEntityTooLarge', message });
}

/** The thread of this process. There is one, so that a server on few processors goes on to serve others. */
export const sideThread = new SideThread();
