import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Loaded } from '../../../lib/load.js';
import { type Place, type Version, type Versions, versionsOf } from './versions.js';

interface Shown {
  readonly versions: readonly Version[];
  readonly hasMore: boolean;
}

interface Pages {
  readonly pages: Loaded<Shown>;
  /** Loads older versions. */
  more(): Promise<void>;
  reload(): void;
}

/** The versions of an object, in pages. When the object has a new revision, the shown pages are loaded again. */
export function usePages(place: Place, revision: string): Pages {
  const state = useSignal<Loaded<Shown>>({ phase: 'loading' });
  const token = useSignal<string | undefined>(undefined);
  const round = useSignal(0);
  const running = useRef(new AbortController());
  const key = `${place.resource.group}/${place.resource.resource}/${place.namespace}/${place.name}`;
  const take = (page: Versions, before: readonly Version[]): void => {
    token.value = page.continue;
    const versions = [...before, ...page.versions];
    state.value = { phase: 'there', value: { versions, hasMore: page.continue !== undefined } };
  };
  useEffect(() => {
    state.value = { phase: 'loading' };
  }, [key]);
  useEffect(() => {
    const controller = new AbortController();
    running.current = controller;
    const wanted = state.peek().value?.versions.length ?? 1;
    const load = async (): Promise<void> => {
      let [all, next]: [readonly Version[], Versions] = [[], await versionsOf(place, undefined, controller.signal)];
      while (next.continue !== undefined && all.length + next.versions.length < wanted) {
        all = [...all, ...next.versions];
        next = await versionsOf(place, next.continue, controller.signal);
      }
      if (!controller.signal.aborted) take(next, all);
    };
    load().catch((error: unknown) => {
      // If versions are shown already, they stay until the next load.
      if (!controller.signal.aborted && state.peek().phase !== 'there') state.value = { phase: 'failed', error };
    });
    return () => controller.abort();
  }, [key, revision, round.value]);
  const more = async (): Promise<void> => {
    const { signal } = running.current;
    try {
      const page = await versionsOf(place, token.peek(), signal);
      if (!signal.aborted) take(page, state.peek().value?.versions ?? []);
    } catch (error) {
      // The versions are being loaded again, or those of another object are.
      if (!signal.aborted) throw error;
    }
  };
  return { pages: state.value, more, reload: () => round.value++ };
}
