import { call, get } from '../../../lib/api.js';
import { objectPath, ownKey, ownResource, type Resource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';
import { isPrivateFolder } from '../model/kinds.js';
import type { Person, Subject } from './subjects.js';
import { type Target, targetOf } from './target.js';

export interface BindingSpec {
  readonly subject: Subject;
  readonly roleRef: { readonly kind: 'BuiltIn' | 'Role' | 'GlobalRole'; readonly name: string };
  readonly scope?: { readonly folder?: string; readonly dashboard?: string; readonly serviceAccount?: string };
}

export type Binding = KubeObject<BindingSpec>;

/** The levels of access. Each includes the ones before it. */
export const LEVELS = ['View', 'Edit', 'Admin'] as const;

const partsOf = (level: string): readonly string[] => level.split(' and ').filter(Boolean);
const isLevel = (part: string): boolean => (LEVELS as readonly string[]).includes(part);

/** The names of the custom roles in levels such as `View and shop-alerts`. */
export function customRoles(levels: readonly string[]): readonly string[] {
  return [...new Set(levels.flatMap(partsOf))].filter((part) => !isLevel(part));
}

/** A level with the titles of its custom roles. */
export function titledLevel(level: string, titleOf: (role: string) => string): string {
  return partsOf(level)
    .map((part) => (isLevel(part) ? part : titleOf(part)))
    .join(' and ');
}

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

export function needed(word: string, resource: string): Resource {
  const found = ownResource(word, resource);
  if (found === undefined) throw new Error(`The server does not serve ${resource}.`);
  return found;
}

/** An entry, as the server tells it. */
interface Reviewed {
  readonly subject: Subject;
  readonly title: string;
  readonly login?: string;
  readonly people?: number;
  readonly accounts?: number;
  readonly isMost?: boolean;
  readonly placeTitle?: string;
  readonly level: string;
  readonly binding?: { readonly name: string; readonly resourceVersion: string; readonly spec: BindingSpec };
}

/**
 * Who has access to a folder or a dashboard, and why: what the server says that gives something there. Rejects with 403
 * for callers who may not know.
 */
export async function loadAccess(folder: KubeObject, signal?: AbortSignal): Promise<FolderAccess> {
  const { namespace = '', name } = folder.metadata;
  const target = targetOf(folder);
  const [status, { chain, isCut }] = await Promise.all([
    reviewOf<{ readonly entries: readonly Reviewed[]; readonly isPartial?: boolean }>(
      namespace,
      { scope: { [target.word]: name } },
      signal,
    ),
    chainOf(folder, target, signal),
  ]);
  const entries = status.entries.map((one) => entryOf(one, { chain, namespace, isOwn: isOn(target.word, name) }));
  return {
    entries,
    chain,
    isCut,
    isPrivate: chain[0] !== undefined && isPrivateFolder(chain[0]),
    privateAbove: chain.slice(1).find(isPrivateFolder),
    isPartial: status.isPartial === true,
  };
}

/** Asks the server who has access to a folder or a dashboard, or what somebody has there. */
export async function reviewOf<Status>(namespace: string, spec: object, signal?: AbortSignal): Promise<Status> {
  const { group, version } = needed('iam', 'rolebindings');
  const path = `/apis/${group}/${version}/namespaces/${encodeURIComponent(namespace)}/scopeaccessreviews`;
  const { body } = await call<{ readonly status: Status }>('POST', path, { body: { spec }, ...(signal && { signal }) });
  return body.status;
}

const isOn =
  (word: 'folder' | 'dashboard', name: string) =>
  ({ scope }: BindingSpec): boolean =>
    scope?.[word] === name;

interface Around {
  readonly chain: readonly KubeObject[];
  readonly namespace: string;
  readonly isOwn: (spec: BindingSpec) => boolean;
}

function entryOf(reviewed: Reviewed, around: Around): Entry {
  const { subject, title, login, people, accounts, isMost, placeTitle, level, binding } = reviewed;
  const who: Person = {
    ...subject,
    title,
    ...(login !== undefined && login !== title && { detail: login }),
    ...(people !== undefined && { people }),
    ...(accounts !== undefined && { accounts }),
    ...(isMost !== undefined && { isMost }),
  };
  if (binding === undefined)
    return { who, level, isCustom: false, why: { by: 'basic role', isKept: subject.name === 'Admin' } };
  const { name, resourceVersion, spec } = binding;
  const { chain, namespace, isOwn } = around;
  const { group, version, kind } = needed('iam', 'rolebindings');
  const object: Binding = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name, namespace, resourceVersion },
    spec,
  };
  const place = spec.scope?.folder ?? spec.scope?.dashboard;
  const at = chain.find(({ metadata }) => metadata.name === place);
  const stub = {
    apiVersion: '',
    kind: 'Folder',
    metadata: { name: place ?? '' },
    spec: { title: placeTitle },
  } as KubeObject;
  return {
    who,
    level: spec.roleRef.name,
    isCustom: spec.roleRef.kind !== 'BuiltIn',
    why:
      place === undefined
        ? { by: 'organization', binding: object }
        : { by: 'binding', binding: object, on: at ?? stub, isOwn: isOwn(spec) },
  };
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

/** Whether what a subject has above a private folder ends at it. */
export function endsInPrivate({ kind, name }: Subject): boolean {
  return kind === 'BasicRole' && name !== 'Admin';
}

/** -1 for a custom role. */
export const rankOf = (level: string): number => LEVELS.indexOf(level as (typeof LEVELS)[number]);
