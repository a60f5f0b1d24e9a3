import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { ApiError, call } from './api.js';
import { isUncovered } from './layers.js';
import { keepFollowing } from './live.js';
import type { Loading } from './load.js';
import type { KubeList, KubeObject } from './object.js';
import { events } from './stream.js';

/** Metadata only, because objects may have megabytes, and mostly only the change itself matters. */
const METADATA = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const METADATA_LIST = METADATA.replace('Metadata;', 'MetadataList;');
/** Seconds that a collection is watched before the next one has its turn. */
const TURN = 3;
/** Milliseconds for which changes are gathered. */
const GATHER = 300;

/** A collection to follow. */
export interface Collection {
  readonly path: string;
  /** Whether a change of this object matters. By default each does. The object has only metadata, unless `isWhole`. */
  readonly concerns?: (object: KubeObject) => boolean;
  readonly isWhole?: boolean;
  /** Is called a moment after changes, and when changes may have been missed. */
  readonly changed: () => void;
}

/**
 * Calls `changed` of collections when they change, while a component is shown. By HTTP/1.1, collections of one
 * connection take turns, because browsers open few connections. Each is watched for some seconds, and continues where
 * it stopped in its next turn, so that it misses nothing.
 */
export function useChanges(connections: readonly (readonly Collection[])[], keys: readonly unknown[]): void {
  const paths = connections.map((all) => all.map(({ path }) => path));
  useEffect(() => {
    const controller = new AbortController();
    const groups = hasManyStreams() ? connections.flat().map((one) => [one]) : connections;
    for (const group of groups) if (group.length > 0) followGroup(group, controller.signal);
    return () => controller.abort();
  }, [JSON.stringify(paths), ...keys]);
}

/** HTTP/2 and later have many streams in one connection. */
function hasManyStreams(): boolean {
  const [page] = performance.getEntriesByType('navigation');
  return /^h[23]/.test((page as PerformanceNavigationTiming | undefined)?.nextHopProtocol ?? '');
}

function followGroup(group: readonly Collection[], signal: AbortSignal): void {
  let followed = group.map((one) => followerOf(one, signal));
  const begin = async (): Promise<void> => {
    const isOpen = await Promise.all(followed.map((one) => one.begin()));
    followed = followed.filter((_, index) => isOpen[index]);
  };
  const follow = async (seen: AbortSignal): Promise<void> => {
    const turn = followed.length === 1 ? undefined : TURN;
    if (followed.length === 0) throw new ApiError(403, 'Nothing of this can be followed.');
    for (const one of followed) await one.watch(seen, turn);
  };
  // If the collections cannot be followed, the page stays as it is.
  void keepFollowing(begin, follow, signal, () => undefined);
}

function followerOf({ path, concerns = () => true, isWhole = false, changed }: Collection, signal: AbortSignal) {
  const accept = isWhole ? 'application/json' : METADATA;
  const listAccept = isWhole ? accept : METADATA_LIST;
  const tell = gathered(changed, signal);
  let version = '';
  return {
    /** Finds the revision from which changes are followed. Returns whether the caller may follow them at all. */
    begin: async (): Promise<boolean> => {
      try {
        const { body } = await call<KubeList<unknown>>('GET', path, {
          query: { limit: 1 },
          accept: listAccept,
          signal,
        });
        version = body.metadata.resourceVersion;
      } catch (error) {
        if (error instanceof ApiError && (error.code === 403 || error.code === 404)) return false;
        throw error;
      }
      // The page may have been loaded before this revision.
      tell();
      return true;
    },
    watch: async (seen: AbortSignal, seconds: number | undefined): Promise<void> => {
      const query = { resourceVersion: version, allowWatchBookmarks: true, timeoutSeconds: seconds };
      for await (const { type, object } of events<KubeObject>(path, { query, accept, signal: seen })) {
        version = object.metadata.resourceVersion ?? version;
        if (type !== 'BOOKMARK' && concerns(object)) tell();
      }
    },
  };
}

/** Joins calls within a moment into one call of `work`. */
function gathered(work: () => void, signal: AbortSignal): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    setTimeout(() => {
      isWaiting = false;
      if (!signal.aborted) work();
    }, GATHER);
  };
}

/**
 * Loads something again when a collection changes. It waits while a load runs, and while a dialog is open, because a
 * form must not disappear when somebody else deletes its object.
 */
export function useFollowed(
  { reload, isLoading }: Loading<unknown>,
  collections: readonly Omit<Collection, 'changed'>[],
  keys: readonly unknown[] = [],
): void {
  const isStale = useSignal(false);
  const changed = (): void => {
    isStale.value = true;
  };
  useChanges(
    collections.map((one) => [{ ...one, changed }]),
    keys,
  );
  const isDue = isStale.value && isUncovered.value && !isLoading.value;
  useEffect(() => {
    if (!isDue) return;
    isStale.value = false;
    reload();
  }, [isDue]);
}
