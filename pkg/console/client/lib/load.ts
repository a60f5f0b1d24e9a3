import { type ReadonlySignal, type Signal, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { isPassing, useAgain } from './connection.js';

export type Loaded<Value> =
  | { readonly phase: 'loading'; readonly value?: undefined; readonly error?: undefined }
  | { readonly phase: 'there'; readonly value: Value; readonly error?: undefined }
  | { readonly phase: 'failed'; readonly error: unknown; readonly value?: undefined };

export interface Loading<Value> {
  readonly state: Signal<Loaded<Value>>;
  /** Whether a load is running, the first or a later one. */
  readonly isLoading: ReadonlySignal<boolean>;
  /** Loads again. The old value stays until then, and also if the server is away. */
  reload(): void;
}

/** Loads something when a component is first shown, and whenever `keys` change. */
export function useLoad<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Loading<Value> {
  const state = useSignal<Loaded<Value>>({ phase: 'loading' });
  const [isLoading, round] = [useSignal(true), useSignal(0)];
  const failure = useRef<unknown>(undefined);
  const shownKeys = useRef<readonly unknown[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    isLoading.value = true;
    const settle = (next: Loaded<Value>): void => {
      if (controller.signal.aborted) return;
      isLoading.value = false;
      failure.current = next.error;
      const isSame = state.peek().phase === 'there' && isEqual(shownKeys.current, keys);
      if (next.phase === 'failed' && isSame && isPassing(next.error)) return;
      shownKeys.current = keys;
      state.value = next;
    };
    load(controller.signal).then(
      (value) => settle({ phase: 'there', value }),
      (error: unknown) => settle({ phase: 'failed', error }),
    );
    return () => controller.abort();
  }, [...keys, round.value]);
  const reload = (): void => {
    round.value = round.peek() + 1;
  };
  useAgain(() => failure.current, reload);
  return { state, isLoading, reload };
}

function isEqual(one: readonly unknown[], other: readonly unknown[]): boolean {
  return one.length === other.length && one.every((value, index) => Object.is(value, other[index]));
}
