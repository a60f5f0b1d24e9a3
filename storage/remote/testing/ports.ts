import type { Port } from '../../../pkg/system/ipc/calls.js';

/** A channel between two "processes" of a test. */
export interface Channel {
  readonly owner: Port;
  readonly other: Port;
  /** The methods that the other process has called, in their order. */
  readonly calls: readonly string[];
  /** Ends one of the processes. */
  lose(): void;
}

/** Messages are cloned and arrive in later turns of the event loop, as between processes. */
export function channel(): Channel {
  const lost = new AbortController();
  const calls: string[] = [];
  const listeners: readonly ((message: unknown) => void)[][] = [[], []];
  const end = (own: number): Port => ({
    post: (message) => {
      const copy: unknown = structuredClone(message);
      if (own === 1) calls.push(String((copy as { readonly method: string }).method));
      setImmediate(() => {
        if (!lost.signal.aborted) for (const listener of listeners[1 - own] ?? []) listener(copy);
      });
    },
    listen: (listener) => void listeners[own]?.push(listener),
    closed: lost.signal,
  });
  return { owner: end(0), other: end(1), calls, lose: () => lost.abort() };
}
