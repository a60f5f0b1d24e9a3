/** One end of a channel between two processes, or two threads. Messages are structured clones and arrive in order. */
export interface Port {
  post(message: unknown): void;
  /** Gets every message. Other users of the channel may send messages of their own. */
  listen(listener: (message: unknown) => void): void;
  /** Aborts when the other end is gone. */
  readonly closed: AbortSignal;
}

/** What the other end may call. Generators are read by the other end, one value after another. */
export type Methods = Readonly<Record<string, (...args: never[]) => Promise<unknown> | AsyncIterable<unknown>>>;

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

  /** The values of a generator on the other end. */
  async *stream<T>(method: string, signal: AbortSignal, ...args: readonly unknown[]): AsyncGenerator<T> {
    const stream = await this.call<number>(method, ...args);
    const stop = (): void => this.#port.post({ call: 0, method: RETURN, args: [stream] } satisfies Call);
    signal.addEventListener('abort', stop, { once: true });
    try {
      if (signal.aborted) stop();
      for (;;) {
        const { done, value } = await this.call<IteratorResult<T>>(NEXT, stream);
        if (done === true || signal.aborted) return;
        yield value;
      }
    } finally {
      signal.removeEventListener('abort', stop);
      stop();
    }
  }

  #take({ answer, value, error }: Answer): void {
    const pending = this.#pending.get(answer);
    this.#pending.delete(answer);
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(this.#errors.decode(error));
  }
}

const NEXT = 'stream/next';
const RETURN = 'stream/return';

/** Answers the calls of the other end. Streams end when the other end is gone. */
export function serve(port: Port, methods: Methods, errors: ErrorCodec): void {
  const streams = new Map<number, AsyncIterator<unknown>>();
  let opened = 0;
  const end = (stream: number): void => {
    const iterator = streams.get(stream);
    streams.delete(stream);
    iterator?.return?.().catch(() => undefined);
  };
  const open = (iterable: AsyncIterable<unknown>): number => {
    streams.set(++opened, iterable[Symbol.asyncIterator]());
    return opened;
  };
  const run = async ({ method, args }: Call): Promise<unknown> => {
    const [stream] = args as [number];
    if (method === RETURN) return end(stream);
    if (method === NEXT) return (await streams.get(stream)?.next()) ?? { done: true, value: undefined };
    const found = methods[method];
    if (found === undefined) throw new Error(`the other process called ${method}, which does not exist`);
    const result = found(...(args as never[]));
    return Symbol.asyncIterator in result ? open(result) : result;
  };
  port.listen((message) => {
    if (!isRecord(message) || typeof message['call'] !== 'number') return;
    const call = message as unknown as Call;
    const answer = (rest: Partial<Answer>): void => {
      if (!port.closed.aborted && call.call !== 0) port.post({ answer: call.call, ...rest });
    };
    run(call).then(
      (value) => answer({ value }),
      (error: unknown) => answer({ error: errors.encode(error) }),
    );
  });
  port.closed.addEventListener('abort', () => {
    for (const stream of [...streams.keys()]) end(stream);
  });
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
