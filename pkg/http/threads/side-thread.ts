import { Worker } from 'node:worker_threads';
import { ApiError } from '../../kube/status/status.js';
import type { Output } from './jobs.js';
import type { Answer, Question } from './messages.js';

const CODE = new URL('./thread.js', import.meta.url);
/** Milliseconds after which a job is given up. The most costly ones that the limits admit take some seconds. */
const PATIENCE = 20_000;
/** Milliseconds after which a thread without work ends. Its memory is free then. */
const IDLE = 60_000;
/** A job that needs more memory is given up. */
const MEMORY = { maxOldGenerationSizeMb: 768 };

interface Waiter {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Does jobs one after another beside the event loop, in a thread that starts with the first of them. */
export class SideThread {
  readonly #patience: number;
  #worker: Worker | undefined;
  #waiter: Waiter | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(patience = PATIENCE) {
    this.#patience = patience;
  }

  /**
   * Rejects with 413 if the job takes too much time or memory, and with what it throws. It is not begun if nobody wants
   * it when its turn comes.
   */
  run(question: Question, cancellation?: Pick<AbortSignal, 'aborted' | 'reason'>): Promise<Output> {
    const done = this.#last.then(() => {
      if (cancellation?.aborted === true) throw cancellation.reason;
      return this.#ask(question);
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #ask(question: Question): Promise<Output> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    const timer = setTimeout(() => void worker.terminate(), this.#patience);
    try {
      const answer = new Promise<Answer>((resolve, reject) => {
        this.#waiter = { resolve, reject };
      });
      // A view would be sent with all bytes of its buffer, of which it may be a small part.
      const bytes = new Uint8Array(question.bytes);
      worker.postMessage({ ...question, bytes }, [bytes.buffer]);
      return outputOf(await answer);
    } finally {
      clearTimeout(timer);
      this.#waiter = undefined;
      this.#rest(worker);
    }
  }

  #start(): Worker {
    const worker = new Worker(CODE, { execArgv: [], resourceLimits: MEMORY });
    const isMine = (): boolean => this.#worker === worker;
    worker.on('message', (answer: Answer) => this.#waiter?.resolve(answer));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (isMine()) this.#waiter?.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooCostly() : error);
    });
    worker.on('exit', () => {
      if (!isMine()) return;
      this.#worker = undefined;
      this.#waiter?.reject(tooCostly());
    });
    return worker;
  }

  /** The thread keeps the process alive only while it works. */
  #rest(worker: Worker): void {
    worker.unref();
    const end = (): void => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      void worker.terminate();
    };
    this.#idle = setTimeout(end, IDLE).unref();
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
