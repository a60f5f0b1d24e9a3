import type { ObjectMeta } from '../../../kube/meta/types.js';

export type { ObjectMeta };

/** The members of an object that the console reads. */
export interface KubeObject<Spec = Record<string, unknown>> {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: ObjectMeta;
  readonly spec?: Spec;
  readonly status?: Record<string, unknown>;
  readonly [member: string]: unknown;
}

export interface KubeList<Item> {
  readonly metadata: {
    readonly resourceVersion: string;
    readonly continue?: string;
    readonly remainingItemCount?: number;
  };
  readonly items: readonly Item[];
}

/** One event of a watch. */
export interface WatchEvent<Item> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK' | 'ERROR';
  readonly object: Item;
}

/** The namespace and the name, which identify an object of a kind. */
export function keyOf({ metadata }: KubeObject<unknown>): string {
  return `${metadata.namespace ?? ''}/${metadata.name}`;
}
