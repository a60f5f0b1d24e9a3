import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import type { Kind } from '../kinds/kind.js';
import type { Registry } from '../kinds/registry.js';
import type { Report, ReportedWrite } from '../kinds/reports.js';

/** A write inside a transaction, before it is known whether it will be committed. */
export interface PendingReport {
  readonly verb: ReportedWrite['verb'];
  readonly kind: Kind;
  readonly namespace: string;
  readonly object: KubeObject;
  readonly took?: ReadonlyMap<string, number>;
}

/** A write that was refused inside a transaction. */
export interface PendingRefusal {
  readonly kind: Kind;
  readonly namespace: string;
  readonly name: string;
  readonly error: unknown;
}

const NOTHING: ReadonlyMap<string, number> = new Map();

/**
 * The reports to people about the writes of one caller. They are made before the commit, so that nothing is stored if
 * this fails.
 */
export function reportsOf({ name: by }: UserInfo, writes: readonly PendingReport[]): readonly Report[] {
  return writes.flatMap(({ verb, kind, namespace, object, took = NOTHING }) => {
    const happening = kind.reports?.written?.({ verb, object, by, took });
    if (happening === undefined) return [];
    const { name, uid } = object.metadata;
    return [{ ...happening, about: aboutOf(kind, namespace, name), ...(uid !== undefined && { uid }) }];
  });
}

/** Tells people which writes of a transaction were refused, if their kinds want that. */
export function reportRefusals({ report }: Registry, refusals: readonly PendingRefusal[]): void {
  for (const { kind, namespace, name, error } of refusals) {
    const happening = error instanceof ApiError ? kind.reports?.refused?.(error) : undefined;
    if (happening !== undefined) report?.({ ...happening, about: aboutOf(kind, namespace, name) });
  }
}

function aboutOf({ apiVersion, kind, scope }: Kind, namespace: string, name: string): Report['about'] {
  return { apiVersion, kind, namespace: scope === 'Cluster' ? '' : namespace, name };
}
