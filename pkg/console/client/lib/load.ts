import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useAgain } from './connection.js';

/** Something that is loaded: not there yet, there, or not to be had. */
export type Loaded<Value> =
  | { readonly phase: 'loading'; readonly value?: undefined; readonly error?: undefined }
  | { readonly phase: 'there'; readonly value: Value; readonly error?: undefined }
  | { readonly phase: 'failed'; readonly error: unknown; readonly value?: undefined };

export interface Loading<Value> {
  readonly state: Signal<Loaded<Value>>;
  /** Loads again. What is shown stays until then. */
  reload(): void;
}

/** Loads something when a component is shown first, and whenever `keys` change. */
export function useLoad<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Loading<Value> {
  const state = useSignal<Loaded<Value>>({ phase: 'loading' });
  const round = useSignal(0);
  useEffect(() => {
    const controller = new AbortController();
    load(controller.signal).then(
      (value) => {
        if (!controller.signal.aborted) state.value = { phase: 'there', value };
      },
      (error: unknown) => {
        if (!controller.signal.aborted) state.value = { phase: 'failed', error };
      },
    );
    return () => controller.abort();
  }, [...keys, round.value]);
  const reload = (): void => {
    round.value = round.peek() + 1;
  };
  useAgain(() => state.peek().error, reload);
  return { state, reload };
}
