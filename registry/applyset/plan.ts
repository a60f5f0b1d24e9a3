import { differences } from '../../pkg/kube/json/diff.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Kind } from '../kinds/kind.js';
import { manageable } from '../write/manageable.js';
import type { Action, ApplySummary, PlannedObject } from './messages.js';

/** The most fields of one object that are shown. */
const MOST_FIELDS = 100;
/** A longer value is cut. */
const LONGEST_VALUE = 1024;
/** The characters of all values that are shown. */
const BUDGET = 4 * 2 ** 20;

type Shown = NonNullable<PlannedObject['diff']>[number];

/** What a request does to its objects. It shows stored objects only, so it hides the same fields as a read. */
export class Plan {
  readonly #objects: PlannedObject[] = [];
  readonly #counts = { created: 0, configured: 0, unchanged: 0, pruned: 0, conflict: 0 };
  #left = BUDGET;

  get objects(): readonly PlannedObject[] {
    return this.#objects;
  }

  get summary(): ApplySummary {
    const { conflict, ...counts } = this.#counts;
    return { ...counts, conflicts: conflict };
  }

  /** Whether the request changes an object. */
  get isChanged(): boolean {
    const { created, configured, pruned } = this.#counts;
    return created + configured + pruned > 0;
  }

  /** Makes the entry of an object. */
  entry(kind: Kind, namespace: string, name: string, action: Action, message?: string): PlannedObject {
    this.#counts[action]++;
    return {
      apiVersion: kind.apiVersion,
      kind: kind.kind,
      ...(kind.scope === 'Namespaced' && { namespace }),
      name,
      action,
      ...(message !== undefined && { message }),
    };
  }

  /** The same, with what differs. */
  changed(kind: Kind, namespace: string, name: string, old: KubeObject | undefined, next: KubeObject): PlannedObject {
    const entry = this.entry(kind, namespace, name, old === undefined ? 'created' : 'configured');
    return kind.isConfidential === true ? entry : { ...entry, diff: this.#diff(kind, old, next) };
  }

  /** Ends the plan with its entries in order. */
  finish(entries: Iterable<PlannedObject>): void {
    this.#objects.push(...entries);
  }

  #diff(kind: Kind, old: KubeObject | undefined, next: KubeObject): readonly Shown[] & Shown[] {
    if (this.#left <= 0) return [];
    const [before, after] = [old && shown(kind, old), shown(kind, next)];
    return differences(before, after, MOST_FIELDS).map(({ path, from, to }) => ({
      path: pathText(path),
      ...(from !== undefined && { from: this.#cut(from) }),
      ...(to !== undefined && { to: this.#cut(to) }),
    }));
  }

  #cut(value: unknown): unknown {
    const text = JSON.stringify(value);
    this.#left -= Math.min(text.length, LONGEST_VALUE);
    return text.length <= LONGEST_VALUE ? value : `${text.slice(0, LONGEST_VALUE)}… (${text.length} characters)`;
  }
}

/** The fields that people decide about. Version, times, status and managers are left out. */
function shown(kind: Kind, object: KubeObject): object {
  const { metadata, status: _, apiVersion: __, kind: ___, ...members } = manageable(kind, object);
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return { metadata: { labels, annotations, finalizers, ownerReferences }, ...members };
}

const PLAIN = /^[A-Za-z0-9_-]+$/;

/** `spec.title`, and `metadata.labels[example.com/team]` for a name that is no identifier. */
export function pathText(path: readonly string[]): string {
  return path.reduce((text, name) => {
    if (!PLAIN.test(name)) return `${text}[${name}]`;
    return text === '' ? name : `${text}.${name}`;
  }, '');
}
