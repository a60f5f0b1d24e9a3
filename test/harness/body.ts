import type { ObjectMeta } from '../../pkg/kube/meta/types.js';
import type { StatusDetails } from '../../pkg/kube/status/status.js';

/** Any body of the resource API: an object, a list, a table or a Status. Tests read the members that they expect. */
export interface Body {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: ObjectMeta & { readonly continue?: string; readonly remainingItemCount?: number };
  readonly spec: Readonly<Record<string, unknown>>;
  readonly items: readonly Body[];
  readonly status: string;
  readonly message: string;
  readonly reason: string;
  readonly code: number;
  readonly details: StatusDetails;
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[]; readonly object: Body }[];
}
