import { useMemo, useRef } from 'preact/hooks';
import { ApiError, get } from '../../lib/api.js';
import { objectPath, pathOf, type Resource } from '../../lib/discovery.js';
import { useLive } from '../../lib/live.js';
import { useLoad } from '../../lib/load.js';
import type { KubeObject } from '../../lib/object.js';

/** An object of a kind, by its name. */
export interface Place {
  readonly resource: Resource;
  /** Empty for kinds outside of namespaces. */
  readonly namespace: string;
  readonly name: string;
}

export interface Found {
  readonly phase: 'loading' | 'there' | 'gone' | 'failed';
  /** As it is, or as it was before it was deleted. */
  readonly object?: KubeObject | undefined;
  readonly error?: unknown;
}

/** An object as it is now. For callers who may not list the kind, it is read once. */
export function useObject({ resource, namespace, name }: Place): Found {
  const last = useRef<KubeObject>();
  const query = useMemo(() => ({ fieldSelector: `metadata.name=${escaped(name)}` }), [name]);
  const state = useLive<KubeObject>(pathOf(resource, namespace), { query })?.state.value;
  const isRefused = state?.error instanceof ApiError && state.error.code === 403;
  const listed = state?.items.values().next().value;
  // A list leaves out what the caller may not see, as if it were not there.
  const isAlone = isRefused || (state?.phase === 'live' && listed === undefined && last.current === undefined);
  const { state: alone } = useLoad(
    (signal) =>
      isAlone ? get<KubeObject>(objectPath(resource, namespace, name), {}, signal) : Promise.resolve(undefined),
    [isAlone],
  );
  const object = isRefused ? alone.value.value : listed;
  if (object !== undefined) last.current = object;
  const error = isAlone ? alone.value.error : state?.error;
  if (isAlone && alone.value.phase === 'loading') return { phase: 'loading' };
  if (object !== undefined) return { phase: 'there', object };
  if (error !== undefined) return { phase: error instanceof ApiError && error.code === 404 ? 'gone' : 'failed', error };
  if (isRefused || state?.phase !== 'live') return { phase: 'loading' };
  return { phase: 'gone', object: last.current };
}

/** Escapes the characters that have a meaning in field selectors. */
function escaped(text: string): string {
  return text.replace(/[\\,=]/g, '\\$&');
}
