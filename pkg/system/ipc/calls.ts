/** One end of a channel between two processes, or two threads. Messages are structured clones and arrive in order. */
export interface Port {
  post(message: unknown): void;
  /** Gets every message. Other users of the channel may send messages of their own. */
  listen(listener: (message: unknown) => void): void;
  /** Aborts when the other end is gone. */
  readonly closed: AbortSignal;
}

/** What the other end may call. */
export type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

interface Call {
  readonly call: number;
  readonly method: string;
  readonly args: readonly unknown[];
}

interface Answer {
  readonly answer: number;
  readonly value?: unknown;
  readonly error?: unknown;
}

/** Errors as values that can be sent. */
export interface ErrorCodec {
  encode(error: unknown): unknown;
  decode(encoded: unknown): Error;
}

/** Asks the other end of a port, and waits for its answers. */
export class Caller {
  readonly #port: Port;
  readonly #errors: ErrorCodec;
  readonly #lost: () => Error;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: unknown): void }>();
  #last = 0;

  /** `lost` makes the error of calls whose answers will not come, because the other end is gone. */
  constructor(port: Port, errors: ErrorCodec, lost: () => Error) {
    this.#port = port;
    this.#errors = errors;
    this.#lost = lost;
    port.listen((message) => {
      if (isRecord(message) && typeof message['answer'] === 'number') this.#take(message as unknown as Answer);
    });
    port.closed.addEventListener('abort', () => {
      for (const { reject } of this.#pending.values()) reject(lost());
      this.#pending.clear();
    });
  }

  call<T>(method: string, ...args: readonly unknown[]): Promise<T> {
    if (this.#port.closed.aborted) return Promise.reject(this.#lost());
    const call = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#pending.set(call, { resolve: resolve as (value: unknown) => void, reject });
      this.#port.post({ call, method, args } satisfies Call);
    });
  }

  #take({ answer, value, error }: Answer): void {
    const pending = this.#pending.get(answer);
    this.#pending.delete(answer);
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(this.#errors.decode(error));
  }
}

/** Answers the calls of the other end. */
export function serve(port: Port, methods: Methods, errors: ErrorCodec): void {
  const run = async ({ method, args }: Call): Promise<unknown> => {
    const found = methods[method];
    if (found === undefined) throw new Error(`the other process called ${method}, which does not exist`);
    return found(...(args as never[]));
  };
  port.listen((message) => {
    if (!isRecord(message) || typeof message['call'] !== 'number') return;
    const call = message as unknown as Call;
    const answer = (rest: Partial<Answer>): void => {
      if (!port.closed.aborted) port.post({ answer: call.call, ...rest });
    };
    run(call).then(
      (value) => answer({ value }),
      (error: unknown) => answer({ error: errors.encode(error) }),
    );
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
