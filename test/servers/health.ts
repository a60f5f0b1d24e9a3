/** Milliseconds between two checks of a server. */
const CHECK_EVERY = 250;
/** So many checks in a row must fail. One may be late on a busy machine. */
const FAILURES = 3;

/** The servers behind a load balancer, which asks each for /readyz. */
export interface Health {
  /** How many servers are ready, as far as it is known. */
  ready(): number;
  /** The address of the next server in turn that is ready. */
  next(): string | undefined;
  stop(): void;
}

/** `urls` gives the present address of each server. */
export function checkHealth(urls: readonly (() => string)[]): Health {
  const failed = urls.map(() => 0);
  const isReady = (index: number): boolean => (failed[index] ?? 0) < FAILURES;
  let turn = 0;
  const check = async (index: number): Promise<void> => {
    const answer = await fetch(`${urls[index]?.()}/readyz`, { headers: { connection: 'close' } }).catch(
      () => undefined,
    );
    await answer?.arrayBuffer();
    failed[index] = answer?.ok === true ? 0 : (failed[index] ?? 0) + 1;
  };
  const timer = setInterval(() => urls.forEach((_url, index) => void check(index)), CHECK_EVERY);
  return {
    ready: () => urls.filter((_url, index) => isReady(index)).length,
    next: () => {
      for (let i = 0; i < urls.length; i++) {
        turn = (turn + 1) % urls.length;
        if (isReady(turn)) return urls[turn]?.();
      }
      return undefined;
    },
    stop: () => clearInterval(timer),
  };
}
