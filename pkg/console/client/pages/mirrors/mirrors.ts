import { isOwnGroup, listed, ownResource, type Resource } from '../../lib/discovery.js';
import type { KubeObject } from '../../lib/object.js';

/** What a mirror takes, and how. Fields that this version of the console does not know are in its YAML. */
export interface MirrorSpec {
  readonly address?: string;
  readonly credential?: { readonly secret?: string };
  readonly organization?: number;
  readonly folders?: { readonly names?: readonly string[]; readonly labels?: string };
  readonly kinds?: readonly string[];
  readonly permissions?: boolean;
  readonly teams?: boolean;
  readonly preferences?: boolean;
  readonly existing?: 'Adopt' | 'Keep';
  readonly delete?: boolean;
  readonly maxDeletions?: number;
  readonly check?: { readonly interval?: string; readonly drift?: 'PutBack' | 'Report' };
  readonly provenance?: { readonly message?: string; readonly tag?: string };
}

export type Mirror = KubeObject<MirrorSpec>;

export interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime?: string;
  readonly observedGeneration?: number;
}

export interface Problem {
  readonly kind: string;
  readonly name: string;
  readonly reason: string;
}

interface MirrorStatus {
  readonly revision?: string;
  /** How many objects of each kind are there. */
  readonly objects: readonly { readonly kind: string; readonly count: number }[];
  readonly pending: number;
  readonly kept: number;
  readonly failed: number;
  /** The first of those that failed. */
  readonly errors: readonly Problem[];
  /** How many were sent, but name somebody or something that is not there. */
  readonly partial: number;
  /** The first of these. */
  readonly warnings: readonly Problem[];
  readonly conditions: readonly Condition[];
}

const EMPTY: MirrorStatus = {
  objects: [],
  pending: 0,
  kept: 0,
  failed: 0,
  errors: [],
  partial: 0,
  warnings: [],
  conditions: [],
};

/** The status of a mirror. A new one has none. */
export function statusOf({ status }: Mirror): MirrorStatus {
  return { ...EMPTY, ...(status as Partial<MirrorStatus> | undefined) };
}

export function conditionOf(mirror: Mirror, type: 'Ready' | 'Drifted'): Condition | undefined {
  return statusOf(mirror).conditions.find((one) => one.type === type);
}

/** Since when not everything has arrived. Undefined if everything has. */
export function behindSince(mirror: Mirror): string | undefined {
  const ready = conditionOf(mirror, 'Ready');
  return ready === undefined || ready.status === 'True' ? undefined : ready.lastTransitionTime;
}

export function mirrorsResource(): Resource | undefined {
  return ownResource('mirror', 'mirrors');
}

/** A kind of this server, by the name that a status has for it. */
export function kindNamed(kind: string): Resource | undefined {
  return listed.value.find((one) => one.kind === kind && isOwnGroup(one.group));
}

/** `2 dashboards`, `1 library element`. */
export function countOf(kind: string, count: number): string {
  return `${count.toLocaleString()} ${count === 1 ? wordOf(kind) : pluralOf(kind)}`;
}

/** `library elements` for `LibraryElement`, and `preferences` for `Preferences`. */
export function pluralOf(kind: string): string {
  return wordOf(kind).replace(/[^s]$/, '$&s');
}

/** `library element` for `LibraryElement`, and `cannot reach` for `CannotReach`. */
export function wordOf(name: string): string {
  return name.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

/** A message of the server as a sentence. */
export function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`.replace(/[^.!?]$/, '$&.');
}
