import { call, get } from '../../../lib/api.js';
import { objectPath, ownKey, pathOf } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';
import { getIn } from '../../../lib/organization.js';
import { forgetPermissions, me } from '../../../lib/session.js';
import { type Binding, type Entry, endsInPrivate, type FolderAccess, LEVELS, needed, rankOf } from './entries.js';
import { type Person, type Subject, subjectKey } from './subjects.js';
import { targetOf } from './target.js';

export interface Request {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

/** What a change has left. A deletion leaves none of it. */
export interface Written {
  readonly metadata?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** A change of the access to a folder: one request, which can also be sent as a dry run. */
export interface Change extends Request {
  /** Takes the change back. `written` is the answer to it: what others have changed since is left alone. */
  readonly undo: (written: Written) => Request;
  /** The entries after the change. `ownLoss` warns callers who would lose access by it. */
  readonly after: (entries: readonly Entry[]) => readonly Entry[];
}

const MERGE = 'application/merge-patch+json';

async function request({ method, path, body }: Request, query: Readonly<Record<string, string>>) {
  return call<unknown>(method, path, {
    query,
    ...(body !== undefined && { body }),
    ...(method === 'PATCH' && { type: MERGE }),
  });
}

/** The warnings of the server in a dry run: who gains and who loses access. */
export async function consequencesOf(change: Request): Promise<readonly string[]> {
  const { warnings } = await request(change, { dryRun: 'All' });
  return warnings;
}

export async function perform(change: Request): Promise<Written> {
  const { body } = await request(change, {});
  forgetPermissions();
  return body as Written;
}

/** Gives somebody access to a folder or a dashboard. If they have an entry with a level there, its level is changed. */
export function give(folder: KubeObject, who: Person, level: string, entries: readonly Entry[]): Change {
  const old = entries.find(
    ({ who: one, why, isCustom }) =>
      !isCustom && why.by === 'binding' && why.isOwn && subjectKey(one) === subjectKey(who),
  );
  if (old?.why.by === 'binding') return setLevel(old, old.why.binding, level);
  const { namespace, name } = folder.metadata;
  const resource = needed('iam', 'rolebindings');
  const { word, bindingPrefix } = targetOf(folder);
  const binding: Binding = {
    apiVersion: `${resource.group}/${resource.version}`,
    kind: resource.kind,
    // The server gives them the same name, so that nobody has two.
    metadata: { name: `${bindingPrefix}.${who.kind.toLowerCase()}.${who.name}` },
    spec: {
      subject: { kind: who.kind, name: who.name },
      roleRef: { kind: 'BuiltIn', name: level },
      scope: { [word]: name },
    },
  };
  const entry: Entry = { who, level, isCustom: false, why: { by: 'binding', binding, on: folder, isOwn: true } };
  return {
    method: 'POST',
    path: pathOf(resource, namespace),
    body: binding,
    undo: ({ metadata: { uid, resourceVersion } = {} }) => ({
      method: 'DELETE',
      path: objectPath(resource, namespace, binding.metadata.name),
      body: { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid, resourceVersion } },
    }),
    after: (all) => [...all, entry],
  };
}

export function setLevel(entry: Entry, binding: Binding, level: string): Change {
  const { namespace, name, resourceVersion } = binding.metadata;
  const path = objectPath(needed('iam', 'rolebindings'), namespace, name);
  return {
    method: 'PATCH',
    path,
    body: { metadata: { resourceVersion }, spec: { roleRef: { kind: 'BuiltIn', name: level } } },
    undo: ({ metadata: { resourceVersion: since } = {} }) => ({
      method: 'PATCH',
      path,
      body: { metadata: { resourceVersion: since }, spec: { roleRef: binding.spec?.roleRef } },
    }),
    after: (all) => all.map((one) => (one === entry ? { ...entry, level, isCustom: false } : one)),
  };
}

export function take(entry: Entry, { metadata: { namespace, name }, spec }: Binding): Change {
  const resource = needed('iam', 'rolebindings');
  const type = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind };
  return {
    method: 'DELETE',
    path: objectPath(resource, namespace, name),
    undo: () => ({ method: 'POST', path: pathOf(resource, namespace), body: { ...type, metadata: { name }, spec } }),
    after: (all) => all.filter((one) => one !== entry),
  };
}

/** Takes the basic roles Viewer and Editor away from an object, or gives them back what they have above it. */
export function setPrivate(folder: KubeObject, isPrivate: boolean): Change {
  const { path } = targetOf(folder);
  const to = (privacy: boolean): Request => ({
    method: 'PATCH',
    path,
    body: { metadata: { annotations: { [ownKey('basic-roles')]: privacy ? 'none' : null } } },
  });
  return {
    ...to(isPrivate),
    undo: () => to(!isPrivate),
    after: (all) => (isPrivate ? all.filter((one) => !endsWith(one)) : all),
  };
}

/** Whether an entry ends if the folder becomes private. */
function endsWith({ who, why }: Entry): boolean {
  if (why.by === 'basic role') return !why.isKept;
  return why.by === 'binding' && !why.isOwn && endsInPrivate(who);
}

/** The subjects through which the caller has access. Administrators of the server need none. */
export interface Self {
  readonly isServerAdministrator: boolean;
  readonly subjects: readonly Subject[];
}

interface OrganizationRole {
  readonly orgId: number;
  readonly role: string;
}

/** Finds the user, the teams and the role of the caller. */
export async function loadSelf(namespace: string): Promise<Self> {
  const isServerAdministrator = me.value?.groups.includes('system:masters') === true;
  if (isServerAdministrator) return { isServerAdministrator, subjects: [] };
  const [user, teams, organizations, here] = await Promise.all([
    get<{ readonly uid?: string }>('/api/user'),
    getIn<readonly { readonly uid: string; readonly name: string }[]>(namespace, '/api/user/teams'),
    get<readonly OrganizationRole[]>('/api/user/orgs'),
    getIn<{ readonly id: number }>(namespace, '/api/org'),
  ]);
  const role = organizations.find(({ orgId }) => orgId === here.id)?.role;
  return {
    isServerAdministrator,
    subjects: [
      ...(user.uid === undefined ? [] : [{ kind: 'User' as const, name: user.uid }]),
      ...teams.map(({ uid }) => ({ kind: 'Team' as const, name: uid })),
      ...(role === undefined ? [] : [{ kind: 'BasicRole' as const, name: role }]),
    ],
  };
}

/** A warning if the caller would have less access to the folder after the change. */
export function ownLoss(
  { entries, chain }: FolderAccess,
  change: Change,
  { isServerAdministrator, subjects }: Self,
): string | undefined {
  if (isServerAdministrator) return undefined;
  const word = chain[0] === undefined ? 'folder' : targetOf(chain[0]).word;
  const mine = new Set(subjects.map(subjectKey));
  const ownIn = (all: readonly Entry[]) => all.filter(({ who }) => mine.has(subjectKey(who)));
  const [before, after] = [ownIn(entries), ownIn(change.after(entries))];
  const [level, kept] = [levelOf(after), rolesOf(after)];
  const isRoleLost = [...rolesOf(before)].some((role) => !kept.has(role));
  // The highest level includes what other roles allow with a folder.
  if (level >= levelOf(before) && (!isRoleLost || level === LEVELS.length - 1)) return undefined;
  if (after.length === 0)
    return `You take away your own access. You will no longer see this ${word}, and cannot undo this.`;
  if (kept.size > 0)
    return 'You lower your own access. Your other roles decide what you may still do. You may be unable to undo this.';
  const rest = ['view', 'edit'][level] ?? 'view';
  return `You lower your own access. You will only ${rest} this ${word}, and cannot undo this yourself.`;
}

/** The highest level among the entries. -1 if there is none. */
function levelOf(entries: readonly Entry[]): number {
  return Math.max(-1, ...entries.map(({ level }) => rankOf(level)));
}

/** The roles among the entries that are no levels. */
function rolesOf(entries: readonly Entry[]): ReadonlySet<string> {
  return new Set(entries.map(({ level }) => level).filter((level) => rankOf(level) < 0));
}
