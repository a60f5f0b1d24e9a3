import { isDeepStrictEqual } from 'node:util';
import { type Fields, union } from '../../../pkg/kube/fieldmanager/fields.js';
import type { Comparable } from '../comparable.js';
import type { Step } from './steps.js';

interface Entry {
  readonly manager: string;
  readonly operation: string;
  readonly subresource?: string;
  /** Absent in an entry that is the only one. */
  readonly fieldsV1?: Fields;
}

/** An intended difference between the managers of an object. Conflicts may differ after it, so the sequence ends. */
interface KnownManagers {
  readonly name: string;
  readonly where: string;
  isIt(step: Step, ours: readonly Entry[], theirs: readonly Entry[]): boolean;
}

export const KNOWN_MANAGERS: readonly KnownManagers[] = [
  {
    name: 'managers are kept if a part that is not stored is of the wrong type',
    where: 'Kubernetes forgets all managers of an object that does not fit the types of its schema',
    isIt: (_step, _ours, theirs) => theirs.length === 0,
  },
  {
    name: 'who scales manages the replicas, also 0 of them, and also if nobody did before',
    where: 'Go leaves 0 out of a Scale, and Kubernetes tracks nothing of what nobody managed before',
    isIt: (_step, ours, theirs) =>
      ours.length > theirs.length && areTheSame(theirs, ours, ({ subresource }) => subresource !== 'scale'),
  },
  {
    name: 'a write of the status changes the managers of the status only',
    where: 'in Kubernetes, members of the root get and lose managers, although the write does not change them',
    isIt: ({ path }, ours, theirs) =>
      path.endsWith('/status') && (areAlike(ours, theirs, (name) => name === 'f:status') || isTaken(ours, theirs)),
  },
  {
    name: 'a write of the object takes the status from nobody',
    where: 'in Kubernetes, who wrote the status loses it, although the write does not change it',
    isIt: ({ path }, ours, theirs) =>
      !path.endsWith('/status') && areAlike(ours, theirs, (name) => name !== 'f:status'),
  },
  {
    name: 'a scale that changes nothing changes no manager',
    where: 'in Kubernetes, who owned the replicas gets a second entry',
    isIt: (_step, ours, theirs) => isDeepStrictEqual(byManager(ours), byManager(theirs)),
  },
];

/**
 * Whether entries are the same for the chosen members of the root. If there is only one entry, this server gives it no
 * fields.
 */
function areAlike(ours: readonly Entry[], theirs: readonly Entry[], isChosen: (name: string) => boolean): boolean {
  const [own, other] = [ours, theirs].map((entries) => entries.flatMap((entry) => chosen(entry, isChosen)));
  if ([...ours, ...theirs].every(({ fieldsV1 }) => fieldsV1 !== undefined)) return isDeepStrictEqual(own, other);
  return areTheSame(own ?? [], other ?? [], () => true);
}

/** Whether a write of the status took all fields from the only manager. */
function isTaken([own, ...more]: readonly Entry[], [other, ...others]: readonly Entry[]): boolean {
  return more.length + others.length === 0 && own?.subresource === undefined && other?.subresource === 'status';
}

function chosen({ fieldsV1, ...entry }: Entry, isChosen: (name: string) => boolean): readonly Entry[] {
  if (fieldsV1 === undefined) return [entry];
  const fields = Object.fromEntries(Object.entries(fieldsV1).filter(([name]) => isChosen(name)));
  return Object.keys(fields).length === 0 ? [] : [{ ...entry, fieldsV1: fields }];
}

/** The fields of each manager, joined from all its entries. */
function byManager(entries: readonly Entry[]): Readonly<Record<string, Fields>> {
  const all: Record<string, Fields> = {};
  for (const { manager, operation, fieldsV1 = {} } of entries) {
    const name = `${manager} ${operation}`;
    all[name] = union(all[name] ?? {}, fieldsV1);
  }
  return all;
}

/** Whether the entries of one server are the chosen ones of the other. */
function areTheSame(some: readonly Entry[], all: readonly Entry[], isChosen: (entry: Entry) => boolean): boolean {
  const names = ({ manager, operation, subresource = '' }: Entry): string => `${manager} ${operation} ${subresource}`;
  return isDeepStrictEqual(some.filter(isChosen).map(names), all.filter(isChosen).map(names));
}

interface Managed {
  readonly metadata: { managedFields?: readonly Entry[] };
}

/**
 * If the difference between the managers is intended, the other answer with our managers, and the name of the
 * difference.
 */
export function withKnownManagers(
  step: Step,
  ours: Comparable,
  theirs: Comparable,
): { readonly name: string; readonly theirs: Comparable } | undefined {
  const changed = structuredClone(JSON.parse(JSON.stringify(theirs))) as Comparable;
  const own = objectsIn(JSON.parse(JSON.stringify(ours.body)));
  for (const [i, object] of objectsIn(changed.body).entries()) {
    const { managedFields: mine = [] } = own[i]?.metadata ?? {};
    const { managedFields: other = [] } = object.metadata;
    if (isDeepStrictEqual(mine, other)) continue;
    const known = KNOWN_MANAGERS.find(({ isIt }) => isIt(step, mine, other));
    if (known === undefined) continue;
    object.metadata.managedFields = mine;
    return { name: known.name, theirs: changed };
  }
  return undefined;
}

/** The objects of an answer, of a list or of a table. */
function objectsIn(body: unknown): readonly Managed[] {
  const { items, rows, ...one } = (body ?? {}) as {
    readonly items?: readonly Managed[];
    readonly rows?: readonly { readonly object?: Managed }[];
  };
  const all = items ?? rows?.flatMap(({ object }) => object ?? []) ?? [one as unknown as Managed];
  return all.filter(({ metadata }) => metadata !== undefined);
}
