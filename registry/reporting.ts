import type { UserInfo } from '../pkg/authn/user.js';
import type { KubeObject } from '../pkg/meta/types.js';
import { ApiError } from '../pkg/status/status.js';
import type { Kind } from './kind.js';
import type { Registry } from './registry.js';
import type { Report, ReportedWrite } from './reports.js';

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

/** Tells people about committed writes of one caller. */
export function reportWrites({ report }: Registry, { name: by }: UserInfo, writes: readonly PendingReport[]): void {
  for (const { verb, kind, namespace, object, took = NOTHING } of writes) {
    const happening = kind.reports?.written?.({ verb, object, by, took });
    const { name, uid } = object.metadata;
    if (happening === undefined) continue;
    report?.({ ...happening, about: aboutOf(kind, namespace, name), ...(uid !== undefined && { uid }) });
  }
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
