import { quoted } from '../../../pkg/kube/structural/go-text.js';
import { condition, type NewCondition } from './condition.js';
import type { CustomResourceDefinitionNames, CustomResourceDefinitionStatus, Definition } from './schema.js';

type Names = Pick<ReadonlySet<string>, 'has'>;

/** The names of a group that are taken. */
export interface TakenNames {
  /** Plurals, singulars and short names. */
  readonly resources: Names;
  /** Kinds, and kinds of lists. */
  readonly kinds: Names;
}

export interface AcceptedNames {
  readonly acceptedNames: CustomResourceDefinitionNames;
  readonly condition: NewCondition;
}

const isSame = (a: readonly string[] = [], b: readonly string[] = []): boolean =>
  a.length === b.length && a.every((text, i) => text === b[i]);

/** Whether the status has accepted all names of the spec, so that nothing is left to decide. */
export function hasAcceptedAll({ spec, status }: Pick<Definition, 'spec' | 'status'>): boolean {
  const [requested, accepted] = [spec.names ?? {}, status?.acceptedNames ?? {}];
  const texts = ['plural', 'singular', 'kind', 'listKind'] as const;
  const lists = ['shortNames', 'categories'] as const;
  return (
    texts.every((name) => (requested[name] ?? '') === (accepted[name] ?? '')) &&
    lists.every((name) => isSame(requested[name] ?? [], accepted[name] ?? []))
  );
}

/**
 * The names that a definition gets: those that it has already, and those that are free. `usedNames` are the names of
 * all kinds of its group.
 */
export function acceptNames(
  { spec, status }: Pick<Definition, 'spec' | 'status'>,
  usedNames: TakenNames,
): AcceptedNames {
  const requested = spec.names ?? {};
  const before = status?.acceptedNames ?? {};
  let accepted: CustomResourceDefinitionNames = { ...before };
  // The condition reports the last conflict.
  let conflict: Conflict | undefined;
  const decide = (name: 'plural' | 'singular' | 'kind' | 'listKind', reason: string, used: Names): void => {
    const wanted = requested[name] ?? '';
    if (wanted !== (before[name] ?? '') && used.has(wanted)) conflict = { reason, message: inUse(wanted) };
    else accepted = { ...accepted, [name]: requested[name] };
  };
  decide('plural', 'PluralConflict', usedNames.resources);
  decide('singular', 'SingularConflict', usedNames.resources);
  const message = shortNameConflict(requested, before, usedNames);
  if (message === undefined) accepted = { ...accepted, shortNames: requested.shortNames };
  else conflict = { reason: 'ShortNamesConflict', message };
  decide('kind', 'KindConflict', usedNames.kinds);
  decide('listKind', 'ListKindConflict', usedNames.kinds);
  return { acceptedNames: { ...accepted, categories: requested.categories }, condition: namesCondition(conflict) };
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

const inUse = (name: string): string => `${quoted(name)} is already in use`;

function namesCondition(conflict: Conflict | undefined): NewCondition {
  if (conflict !== undefined) return condition('NamesAccepted', 'False', conflict.reason, conflict.message);
  return condition('NamesAccepted', 'True', 'NoConflicts', 'no conflicts found');
}

function shortNameConflict(
  requested: CustomResourceDefinitionNames,
  before: CustomResourceDefinitionNames,
  usedNames: TakenNames,
): string | undefined {
  const own = new Set(before.shortNames ?? []);
  const used = (requested.shortNames ?? []).filter(
    (name) => !own.has(name) && name !== '' && usedNames.resources.has(name),
  );
  return aggregate(used.map(inUse));
}

/** Several errors as one text, each once. */
export function aggregate(messages: readonly string[]): string | undefined {
  const each = [...new Set(messages)];
  return each.length > 1 ? `[${each.join(', ')}]` : each[0];
}

/** The condition Established after the names are decided. Once True, it stays True. */
export function established(
  status: CustomResourceDefinitionStatus | undefined,
  names: Pick<NewCondition, 'status'>,
): NewCondition {
  const old = status?.conditions?.find(({ type }) => type === 'Established');
  if (old?.status !== 'True' && names.status === 'True') {
    return condition('Established', 'False', 'Installing', 'the initial names have been accepted');
  }
  if (old === undefined) return condition('Established', 'False', 'NotAccepted', 'not all names are accepted');
  return condition('Established', old.status ?? '', old.reason ?? '', old.message ?? '');
}
