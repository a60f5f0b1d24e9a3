import type { Steps } from '../../../pkg/system/yielding/steps.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { BindingSubject } from '../rolebinding/schema.js';
import { subjectKey, type WrittenBindings } from './bindings.js';
import { type People, type Person, peopleIn } from './people.js';
import type { AccessContext, Place } from './place.js';
import { accessAt, distinct, isGroup, levelBy, levelsBy, type PlaceAccess } from './subjects.js';

/**
 * The most people behind teams and roles that one change looks at one by one, and of one of them. Other writes wait
 * meanwhile.
 */
const MOST_OF_GROUPS = 200;
const MOST_OF_GROUP = 100;
/** The most questions whether one of these people belongs to one of the teams that have something at the place. */
const MOST_MEMBERSHIPS = 1000;

/** People whose level changes in the same way, by the same subject. */
export interface AccessChange {
  /** Absent: by a binding that the caller may not view. */
  readonly subject: BindingSubject | undefined;
  /** The levels before and after. Empty: no access. */
  readonly from: string;
  readonly to: string;
  /** For a team or a basic role: whose level changes so, of how many. */
  readonly people?: {
    readonly changed: number;
    readonly of: number;
    /** Whether service accounts are among them. */
    readonly hasAccounts: boolean;
    /** There are too many to look at each, so that some may keep their level by another way. */
    readonly isMost: boolean;
  };
}

/** One person whose level changes. */
export interface PersonChange {
  readonly person: Person;
  /** The subject by which it changes: the person, a team, or a basic role. */
  readonly by: BindingSubject;
  readonly from: string;
  readonly to: string;
  readonly isHidden: boolean;
}

/** A write of bindings. */
export interface BindingChange {
  /** Whose they were and are. What others have stays the same. */
  readonly subjects: readonly BindingSubject[];
  readonly before: WrittenBindings;
  readonly after: WrittenBindings;
}

export interface ChangeOptions extends AccessContext {
  /** Bindings that are written. Otherwise all bindings stay. */
  readonly change?: BindingChange;
  /** Reads what the caller may view. Absent: the caller may view all bindings. */
  readonly visible?: WriteContext['visible'];
  /** metadata.name of somebody who is left out. */
  readonly except?: string;
  /** How many more people of groups are looked at, for several questions of one write together. */
  readonly budget?: Budget;
}

interface Budget {
  people: number;
  memberships: number;
}

export const newBudget = (): Budget => ({ people: MOST_OF_GROUPS, memberships: MOST_MEMBERSHIPS });

/** The same place before and after a write. */
interface Both {
  readonly before: PlaceAccess;
  readonly after: PlaceAccess;
  readonly isHidden: (subject: BindingSubject) => boolean;
}

/**
 * Whose level at a place changes, as the difference of what people have before and after, by everything that gives them
 * something. Whoever keeps the same level by another way is not in it.
 */
export function* accessChanges(before: Place, after: Place, options: ChangeOptions): Steps<readonly AccessChange[]> {
  const both = bothOf(before, after, options);
  const people = peopleIn(options);
  const { persons, sizes, mixed, unknown } = yield* lookedAt(both, people, options);
  const rows = new Map<string, AccessChange>();
  const add = (row: AccessChange): void => {
    const key = JSON.stringify([row.subject, row.from, row.to]);
    const { people: counted } = rows.get(key) ?? {};
    const sum = counted && row.people && { ...counted, changed: counted.changed + row.people.changed };
    rows.set(key, sum ? { ...row, people: sum } : row);
  };
  for (const { by, from, to, isHidden } of persons) {
    const of = sizes.get(subjectKey(by));
    const isCounted = !isHidden && of !== undefined && isGroup(by);
    add({
      subject: isHidden ? undefined : by,
      from,
      to,
      ...(isCounted && { people: { changed: 1, of, hasAccounts: mixed.has(subjectKey(by)), isMost: false } }),
    });
  }
  for (const [subject, size] of unknown) {
    const [from, to] = levelsIn(both, [subject], options);
    const row = { from, to };
    const counted = isGroup(subject) && { people: { changed: size, of: size, hasAccounts: false, isMost: size > 0 } };
    if (row.from !== row.to)
      add(both.isHidden(subject) ? { subject: undefined, ...row } : { subject, ...row, ...counted });
  }
  return [...rows.values()];
}

/** Everybody whose level changes, one by one. */
export function* personChanges(before: Place, after: Place, options: ChangeOptions): Steps<readonly PersonChange[]> {
  return (yield* lookedAt(bothOf(before, after, options), peopleIn(options), options)).persons;
}

function bothOf(from: Place, to: Place, options: ChangeOptions): Both {
  const { namespace, visible, environment, change } = options;
  const [before, after] = [accessAt(from, options, change?.before), accessAt(to, options, change?.after)];
  const resource = resourceName('iam/rolebindings', environment.domain);
  const known = new Map<string, boolean>();
  const isVisible = (name: string): boolean => {
    const isKnown = known.get(name) ?? visible?.(resource, namespace, name) !== undefined;
    known.set(name, isKnown);
    return isKnown;
  };
  const isHidden = (subject: BindingSubject): boolean =>
    visible !== undefined &&
    [before, after].some((one) =>
      one.partsOf(subject).some(({ binding }) => binding !== undefined && !isVisible(binding.name)),
    );
  return { before, after, isHidden };
}

/** Only if a role has another content, one level may mean other permissions. */
function levelsIn(
  { before, after }: Both,
  subjects: readonly BindingSubject[],
  { change }: ChangeOptions,
): readonly [from: string, to: string] {
  if (change?.after.role !== undefined) return levelsBy(subjects, before, after);
  return [levelBy(subjects, before), levelBy(subjects, after)];
}

interface LookedAt {
  readonly persons: readonly PersonChange[];
  /** How many people are behind a subject. */
  readonly sizes: ReadonlyMap<string, number>;
  /** The subjects behind which are service accounts, too. */
  readonly mixed: ReadonlySet<string>;
  /** Subjects that nobody is behind, or too many, with their number. */
  readonly unknown: readonly (readonly [subject: BindingSubject, size: number])[];
}

/** Looks at the people behind each subject that has something else afterwards: users, then teams, then roles. */
function* lookedAt(both: Both, people: People, options: ChangeOptions): Steps<LookedAt> {
  const { except, change, budget = newBudget() } = options;
  const visited = new Set<string>();
  const sizes = new Map<string, number>();
  const mixed = new Set<string>();
  const unknown: (readonly [BindingSubject, number])[] = [];
  const persons: PersonChange[] = [];
  const teams = boundTeams(both);
  const members = peopleIn(options, teams);
  for (const by of yield* changedSubjects(both, change)) {
    const size = people.sizeOf(by);
    const hasPeople = isGroup(by);
    if (hasPeople && (size === 0 || !mayLookAt(size, teams, budget))) {
      unknown.push([by, size]);
      continue;
    }
    let count = 0;
    for (const person of (hasPeople ? members : people).behind(by)) {
      yield;
      count++;
      if (person.kind === 'ServiceAccount') mixed.add(subjectKey(by));
      const key = subjectKey(person);
      if (visited.has(key) || person.name === except || person.isAdministrator) continue;
      visited.add(key);
      const [from, to] = levelsIn(both, person.subjects, options);
      const isHidden = hasPeople ? both.isHidden(by) : person.subjects.some(both.isHidden);
      if (from !== to) persons.push({ person, by, from, to, isHidden });
    }
    if (hasPeople && count === 0) unknown.push([by, 0]);
    sizes.set(subjectKey(by), count);
  }
  return { persons, sizes, mixed, unknown };
}

/** The teams that have something at the place. Only these decide beside the people themselves and their roles. */
function boundTeams({ before, after }: Both): () => readonly string[] {
  let names: readonly string[] | undefined;
  return () => {
    names ??= distinct([...before.subjects(), ...after.subjects()])
      .filter((one) => one.kind === 'Team' && [before, after].some(({ partsOf }) => partsOf(one).length > 0))
      .map(({ name }) => name);
    return names;
  };
}

/** Whether each of so many people is looked at. */
function mayLookAt(people: number, teams: () => readonly string[], budget: Budget): boolean {
  if (people > Math.min(budget.people, MOST_OF_GROUP)) return false;
  const memberships = people * teams().length;
  if (memberships > budget.memberships) return false;

  budget.people -= people;
  budget.memberships -= memberships;
  return true;
}

const ORDER = ['User', 'ServiceAccount', 'Team', 'BasicRole'] as const;

function* changedSubjects(
  { before, after }: Both,
  change: BindingChange | undefined,
): Steps<readonly BindingSubject[]> {
  const partsIn = (access: PlaceAccess, subject: BindingSubject): string =>
    JSON.stringify(
      access
        .partsOf(subject)
        .map(({ actions, role = '' }) => [role, ...[...actions].sort()])
        .sort(),
    );
  const changed: BindingSubject[] = [];
  for (const subject of distinct(change?.subjects ?? [...before.subjects(), ...after.subjects()])) {
    yield;
    if (partsIn(before, subject) !== partsIn(after, subject)) changed.push(subject);
  }
  return changed.sort((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind));
}
