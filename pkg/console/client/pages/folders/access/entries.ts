import { get } from '../../../lib/api.js';
import { objectPath, ownKey, ownResource, pathOf, type Resource } from '../../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../../lib/object.js';
import { getIn } from '../../../lib/organization.js';
import { titlesOf } from '../../people/roles/titles.js';
import { isPrivateFolder } from '../model/kinds.js';
import { BASIC_ROLES, type Person, type Subject, subjectKey } from './subjects.js';
import { type Target, targetOf } from './target.js';

export interface BindingSpec {
  readonly subject: Subject;
  readonly roleRef: { readonly kind: 'BuiltIn' | 'Role' | 'GlobalRole'; readonly name: string };
  readonly scope?: { readonly folder?: string; readonly dashboard?: string; readonly serviceAccount?: string };
}

export type Binding = KubeObject<BindingSpec>;

/** The levels of access. Each includes the ones before it. */
export const LEVELS = ['View', 'Edit', 'Admin'] as const;

/** One reason why somebody has access to a folder or a dashboard. */
export interface Entry {
  readonly who: Person;
  /** A level, or the name of a custom role. */
  readonly level: string;
  readonly isCustom: boolean;
  readonly why: Why;
}

export type Why =
  /** A binding on the folder itself, or on one above it. */
  | { readonly by: 'binding'; readonly binding: Binding; readonly on: KubeObject; readonly isOwn: boolean }
  /** A basic role has it in the whole organization. With `isKept`, it has it in private folders, too. */
  | { readonly by: 'basic role'; readonly isKept: boolean }
  | { readonly by: 'organization'; readonly binding: Binding };

export interface FolderAccess {
  readonly entries: readonly Entry[];
  /** The object and the folders above it, the one at the top last. */
  readonly chain: readonly KubeObject[];
  /** Whether a folder above could not be read. */
  readonly isCut: boolean;
  /** Whether the object itself is private. */
  readonly isPrivate: boolean;
  /** The nearest private folder above it. */
  readonly privateAbove: KubeObject | undefined;
  /** Whether there are more bindings than were read. */
  readonly isPartial: boolean;
}

/** The most folders above each other that are read. */
const DEEPEST = 100;
/** The most bindings that are read of one folder. */
export const MOST_BINDINGS = 500;

export function needed(word: string, resource: string): Resource {
  const found = ownResource(word, resource);
  if (found === undefined) throw new Error(`The server does not serve ${resource}.`);
  return found;
}

/** Who has access to a folder or a dashboard, and why. Rejects with 403 for callers who may not know. */
export async function loadAccess(folder: KubeObject, signal?: AbortSignal): Promise<FolderAccess> {
  const { namespace = '' } = folder.metadata;
  const target = targetOf(folder);
  // Unlike the list of bindings, this is refused to callers who may not see all of them. It also has the names of
  // people.
  const listed = await getIn<readonly Listed[]>(namespace, `${target.legacyPath}/permissions`, {}, signal);
  const { chain, isCut } = await chainOf(folder, target, signal);
  const [everywhere, ...placedOn] = await Promise.all([
    unscopedBindings(namespace, target, signal),
    ...chain.map((on, index) => bindingsOn(namespace, index === 0 ? target.word : 'folder', on.metadata.name, signal)),
  ]);
  const bindings = [everywhere, ...placedOn].flatMap((one) => one.bindings);
  const names = await withTitles(namesIn(listed), bindings, namespace, signal);
  const isPrivate = chain[0] !== undefined && isPrivateFolder(chain[0]);
  const privateAbove = chain.slice(1).find(isPrivateFolder);
  // What a basic role has further up ends at the first private folder.
  const end = chain.findIndex(isPrivateFolder);
  const isEnded = ({ spec }: Binding, index: number): boolean =>
    end !== -1 && index > end && spec !== undefined && endsInPrivate(spec.subject);
  const entryOf = (binding: Binding, why: Why): readonly Entry[] => {
    const { spec } = binding;
    if (spec === undefined) return [];
    const isCustom = spec.roleRef.kind !== 'BuiltIn';
    return [{ who: personOf(spec.subject, names), level: spec.roleRef.name, isCustom, why }];
  };
  const placed = chain.flatMap((on, index) =>
    (placedOn[index]?.bindings ?? [])
      .filter((binding) => !isEnded(binding, index))
      .flatMap((binding) => entryOf(binding, { by: 'binding', binding, on, isOwn: index === 0 })),
  );
  const organization = everywhere.bindings.flatMap((binding) => entryOf(binding, { by: 'organization', binding }));
  const entries = [...placed, ...basicEntries(end !== -1), ...organization].sort(byAccess);
  const isPartial = [everywhere, ...placedOn].some((one) => one.isPartial);
  return { entries, chain, isCut, isPrivate, privateAbove, isPartial };
}

interface Listed {
  readonly userUid: string;
  readonly userLogin: string;
  readonly userEmail: string;
  readonly teamUid: string;
  readonly team: string;
  readonly isServiceAccount?: boolean;
}

function namesIn(listed: readonly Listed[]): ReadonlyMap<string, Person> {
  const people = listed.flatMap((one): readonly Person[] => {
    if (one.teamUid !== '') return [{ kind: 'Team', name: one.teamUid, title: one.team }];
    if (one.userUid === '') return [];
    if (one.isServiceAccount === true)
      return [{ kind: 'ServiceAccount', name: one.userUid, title: one.userLogin.replace(/^sa-\d+-/, '') }];
    return [{ kind: 'User', name: one.userUid, title: one.userLogin, detail: one.userEmail }];
  });
  return new Map([...people, ...BASIC_ROLES].map((one) => [subjectKey(one), one]));
}

/**
 * The names of the subjects of all bindings. The legacy API leaves out those that have custom roles, or a role in the
 * organization.
 */
async function withTitles(
  names: ReadonlyMap<string, Person>,
  bindings: readonly Binding[],
  namespace: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, Person>> {
  const unknown = bindings.flatMap(({ spec }) => spec?.subject ?? []).filter((one) => !names.has(subjectKey(one)));
  const titles = await titlesOf(namespace, unknown, signal);
  const more = unknown.map((one): Person => ({ ...one, title: titles.get(subjectKey(one)) ?? one.name }));
  return new Map([...names, ...more.map((one) => [subjectKey(one), one] as const)]);
}

function personOf(subject: Subject, names: ReadonlyMap<string, Person>): Person {
  return names.get(subjectKey(subject)) ?? { ...subject, title: subject.name };
}

async function chainOf(
  folder: KubeObject,
  { path }: Target,
  signal?: AbortSignal,
): Promise<Pick<FolderAccess, 'chain' | 'isCut'>> {
  const folders = needed('folder', 'folders');
  const key = ownKey('folder');
  const { namespace } = folder.metadata;
  // It may have changed since it was shown.
  const chain = [await get<KubeObject>(path, {}, signal)];
  for (let above = chain[0]?.metadata.annotations?.[key]; above && chain.length < DEEPEST; ) {
    try {
      const next = await get<KubeObject>(objectPath(folders, namespace, above), {}, signal);
      chain.push(next);
      above = next.metadata.annotations?.[key];
    } catch {
      return { chain, isCut: true };
    }
  }
  return { chain, isCut: false };
}

interface Bindings {
  readonly bindings: readonly Binding[];
  /** Whether there are more. */
  readonly isPartial: boolean;
}

async function bindingsBy(fieldSelector: string, namespace: string, signal?: AbortSignal): Promise<Bindings> {
  const path = pathOf(needed('iam', 'rolebindings'), namespace);
  const { items, metadata } = await get<KubeList<Binding>>(path, { fieldSelector, limit: MOST_BINDINGS }, signal);
  return { bindings: items, isPartial: (metadata.continue ?? '') !== '' };
}

function bindingsOn(namespace: string, scope: string, name: string, signal?: AbortSignal): Promise<Bindings> {
  return bindingsBy(`spec.scope.${scope}=${name}`, namespace, signal);
}

/** The bindings without a scope whose roles may have permissions on such objects. */
async function unscopedBindings(namespace: string, { word }: Target, signal?: AbortSignal): Promise<Bindings> {
  const nowhere = ['folder', 'dashboard', 'serviceAccount'].map((place) => `spec.scope.${place}=`).join(',');
  const { bindings, isPartial } = await bindingsBy(nowhere, namespace, signal);
  const isCustom = ({ spec }: Binding): boolean => spec?.roleRef.kind !== 'BuiltIn';
  const others = bindings.some(isCustom) ? await rolesWithout(word, namespace, signal) : new Set();
  const isOther = ({ spec }: Binding): boolean => spec?.roleRef.kind === 'Role' && others.has(spec.roleRef.name);
  return { bindings: bindings.filter((one) => !isOther(one)), isPartial };
}

/**
 * The custom roles that allow nothing with folders, or with dashboards. If there are very many roles, some of these are
 * missing.
 */
async function rolesWithout(word: string, namespace: string, signal?: AbortSignal): Promise<ReadonlySet<unknown>> {
  type Role = KubeObject<{ readonly permissions?: readonly { readonly action: string }[] }>;
  const reach = ({ action }: { readonly action: string }): boolean => action === '*' || action.startsWith(`${word}s`);
  const { items } = await get<KubeList<Role>>(pathOf(needed('iam', 'roles'), namespace), { limit: 500 }, signal);
  return new Set(
    items.filter(({ spec }) => spec?.permissions?.some(reach) !== true).map(({ metadata }) => metadata.name),
  );
}

/** Whether what a subject has above a private folder ends at it. */
export function endsInPrivate({ kind, name }: Subject): boolean {
  return kind === 'BasicRole' && name !== 'Admin';
}

function basicEntries(isPrivate: boolean): readonly Entry[] {
  const levels: Readonly<Record<string, string>> = { Viewer: 'View', Editor: 'Edit', Admin: 'Admin' };
  return BASIC_ROLES.filter(({ name }) => name === 'Admin' || !isPrivate).map((who) => ({
    who,
    level: levels[who.name] ?? 'View',
    isCustom: false,
    why: { by: 'basic role', isKept: who.name === 'Admin' },
  }));
}

/** -1 for a custom role. */
export const rankOf = (level: string): number => LEVELS.indexOf(level as (typeof LEVELS)[number]);

/** By level, the highest first, and then by name. */
function byAccess(a: Entry, b: Entry): number {
  return rankOf(b.level) - rankOf(a.level) || a.who.title.localeCompare(b.who.title);
}
