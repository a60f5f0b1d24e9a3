import { Worker } from 'node:worker_threads';

export interface JobThreadOptions {
  /** The file that runs in the thread. It answers each message with one. */
  readonly code: URL;
  /** Milliseconds after which a job is given up. */
  readonly patience: number;
  /** A job that needs more memory is given up. */
  readonly megabytes: number;
  /** What a job that was given up rejects with. */
  readonly tooCostly: () => Error;
}

/** A message for the thread, and the buffers that move there. */
export interface Sent<Question> {
  readonly question: Question;
  readonly moved?: readonly ArrayBuffer[];
}

interface Waiter<Answer> {
  resolve(answer: Answer): void;
  reject(error: unknown): void;
}

/** Milliseconds after which a thread without work ends. Its memory is free then. */
const IDLE = 60_000;

/** Does jobs one after another beside the event loop, in a thread that starts with the first of them. */
export class JobThread<Question, Answer> {
  readonly #options: JobThreadOptions;
  #worker: Worker | undefined;
  #waiter: Waiter<Answer> | undefined;
  #idle: NodeJS.Timeout | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: JobThreadOptions) {
    this.#options = options;
  }

  /** A job is not begun if nobody wants it when its turn comes. `send` makes the message then. */
  run(send: () => Sent<Question>, cancellation?: Pick<AbortSignal, 'aborted' | 'reason'>): Promise<Answer> {
    const done = this.#last.then(() => {
      if (cancellation?.aborted === true) throw cancellation.reason;
      return this.#ask(send());
    });
    this.#last = done.catch(() => undefined);
    return done;
  }

  async #ask({ question, moved = [] }: Sent<Question>): Promise<Answer> {
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    const timer = setTimeout(() => void worker.terminate(), this.#options.patience);
    try {
      const answer = new Promise<Answer>((resolve, reject) => {
        this.#waiter = { resolve, reject };
      });
      worker.postMessage(question, moved);
      return await answer;
    } finally {
      clearTimeout(timer);
      this.#waiter = undefined;
      this.#rest(worker);
    }
  }

  #start(): Worker {
    const { code, megabytes, tooCostly } = this.#options;
    const worker = new Worker(code, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: megabytes } });
    const isMine = (): boolean => this.#worker === worker;
    worker.on('message', (answer: Answer) => this.#waiter?.resolve(answer));
    worker.on('error', (error: NodeJS.ErrnoException) => {
      if (!isMine()) return;
      // It ends, so the next job gets another one.
      this.#worker = undefined;
      this.#waiter?.reject(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? tooCostly() : error);
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
