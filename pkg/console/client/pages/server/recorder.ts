import { signal } from '@preact/signals';
import { ApiError, call, get } from '../../lib/api.js';
import { useRepeated } from '../../lib/repeat.js';
import { type Sample, samplesOf } from './metrics.js';

/** What the server did in some seconds. */
interface Slot {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly requests: number;
  readonly refused: number;
  readonly failed: number;
  /** Seconds. Undefined if there were no requests. */
  readonly median?: number;
  readonly slowest?: number;
  readonly stall: number;
  readonly memory: number;
  readonly processor: number;
}

interface Recent {
  readonly seconds: number;
  readonly slots: readonly Slot[];
}

export interface Looked<Value> {
  readonly value: Value | undefined;
  readonly error?: unknown;
}

const recent = signal<Looked<Recent>>({ value: undefined });
const samples = signal<Looked<readonly Sample[]>>({ value: undefined });

/** What the server did in the last hour, again and again while a component is shown. */
export function useRecent(): Looked<Recent> {
  useRepeated(10_000, (signal) => look(recent, () => get<Recent>('/metrics', { recent: true }, signal), signal));
  return recent.value;
}

/** The metrics, again and again while a component is shown. */
export function useSamples(): Looked<readonly Sample[]> {
  useRepeated(5_000, (signal) =>
    look(
      samples,
      async () => samplesOf((await call<string>('GET', '/metrics', { accept: 'text/plain', signal })).body),
      signal,
    ),
  );
  return samples.value;
}

/** Resolves to whether to look again: a refused caller is not asked again until the page is opened again. */
async function look<Value>(
  to: { value: Looked<Value>; peek(): Looked<Value> },
  load: () => Promise<Value>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    to.value = { value: await load() };
  } catch (error) {
    if (!signal.aborted) to.value = { value: to.peek().value, error };
    return !(error instanceof ApiError && error.code < 500 && error.code !== 429);
  }
  return true;
}
