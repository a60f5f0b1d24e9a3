import { type Signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call, wordsOf } from '../../lib/api.js';
import { pathOf, type Resource } from '../../lib/discovery.js';
import type { KubeList } from '../../lib/object.js';
import { may } from '../../lib/session.js';

/** How many objects of a kind there are, or why that is not known. */
export interface Count {
  readonly text: string;
  readonly why?: string;
}

/** Requests at the same time. Browsers open six connections to a server. */
const AT_ONCE = 3;
const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** `<resource>.<group>`. */
export const nameOf = ({ group, resource }: Resource): string => `${resource}.${group}`;

/**
 * The number of objects of each kind in a namespace. The server counts them, so only one object of each kind is read.
 */
export function useCounts(kinds: readonly Resource[], namespace: string): Signal<ReadonlyMap<string, Count>> {
  const counts = useSignal<ReadonlyMap<string, Count>>(new Map());
  useEffect(() => {
    const controller = new AbortController();
    const waiting = kinds.filter(({ verbs }) => verbs.includes('list'));
    counts.value = new Map();
    const work = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const count = await countOf(one, namespace, controller.signal);
        if (controller.signal.aborted) return;
        counts.value = new Map(counts.peek()).set(nameOf(one), count);
      }
    };
    for (let i = 0; i < AT_ONCE; i++) void work();
    return () => controller.abort();
  }, [kinds, namespace]);
  return counts;
}

async function countOf(resource: Resource, namespace: string, signal: AbortSignal): Promise<Count> {
  try {
    // A request that is refused would stand in the log of the server as an attempt of this person.
    const { allowed, reason } = await may({
      verb: 'list',
      resource,
      namespace: resource.isNamespaced ? namespace : '',
    });
    if (!allowed) return { text: '–', ...(reason !== undefined && { why: reason }) };
    const options = { query: { limit: 1 }, accept: METADATA, signal };
    const { body } = await call<KubeList<unknown>>('GET', pathOf(resource, namespace), options);
    const { remainingItemCount, continue: next } = body.metadata;
    if (next !== undefined && remainingItemCount === undefined) return { text: 'Some' };
    return { text: (body.items.length + (remainingItemCount ?? 0)).toLocaleString() };
  } catch (error) {
    return { text: '–', why: wordsOf(error) };
  }
}
