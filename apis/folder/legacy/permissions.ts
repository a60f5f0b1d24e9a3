import { z } from 'zod';
import type { KubeObject } from '../../../pkg/meta/types.js';
import type { KindEnvironment } from '../../../registry/kind.js';
import type { LegacyCall } from '../../../registry/legacy/call.js';
import { badRequestData, plainFailure } from '../../../registry/legacy/errors.js';
import { done, ok } from '../../../registry/legacy/respond.js';
import { type LegacyRoute, routes } from '../../../registry/legacy/route.js';
import { slug } from '../../iam/legacy/formats.js';
import { BY_FOLDER, type RoleBindingSpec } from '../../rolebinding/kind.js';
import type { FolderSpec } from '../kind.js';
import { type Folder, folderUrl, parentOf } from './dto.js';
import { FALLBACK, FOLDER_ERRORS } from './errors.js';
import { personSubject, roleSubject, type Subject, subjectDto, teamSubject } from './subjects.js';

type Binding = KubeObject<RoleBindingSpec>;

/** Folder permissions by the numbers that the legacy interface gives them. */
const LEVELS = new Map([
  [1, 'View'],
  [2, 'Edit'],
  [4, 'Admin'],
]);
const NUMBERS = new Map([...LEVELS].map(([number, name]) => [name, number]));

const Item = z.object({
  userId: z.int().nullish(),
  userUid: z.string().nullish(),
  teamId: z.int().nullish(),
  teamUid: z.string().nullish(),
  role: z.string().nullish(),
  permission: z.int(),
});
type Item = z.infer<typeof Item>;

const MOST_ITEMS = 1000;
const ItemsBody = z.object({ items: z.array(Item).max(MOST_ITEMS) });
const PermissionBody = z.object({ permission: z.string() });

/** Folder permissions are RoleBindings with a folder for their scope. */
export function permissionRoutes(environment: KindEnvironment): readonly LegacyRoute[] {
  const errors = FOLDER_ERRORS.filter(({ reason }) => reason === 'NotFound');
  const folderOf = (call: LegacyCall): Folder => call.objects<FolderSpec>('Folder').get(call.param('uid'));
  const setOne = async (call: LegacyCall, subject: Subject) => {
    const folder = folderOf(call);
    const { permission } = call.body(PermissionBody);
    if (permission !== '' && !NUMBERS.has(permission)) throw plainFailure(400, 'invalid permission');
    await apply(call, folder, [{ subject, level: permission }], false);
    return done(permission === '' ? 'Permission removed' : 'Permission updated');
  };
  return routes(
    { errors, fallback: FALLBACK },
    {
      'GET /folders/:uid/permissions': (call) => ok(permissionDtos(call, folderOf(call), environment)),
      'POST /folders/:uid/permissions': async (call) => {
        const folder = folderOf(call);
        await apply(call, folder, wishesOf(call), true);
        return done('Folder permissions updated', {
          id: call.objects('Folder').idOf(folder),
          title: folder.spec?.title,
        });
      },
      'POST /access-control/folders/:uid/users/:userId': (call) =>
        setOne(call, personSubject(call, call.param('userId'), 404)),
      'POST /access-control/folders/:uid/teams/:teamId': (call) =>
        setOne(call, teamSubject(call, call.param('teamId'), 404)),
      'POST /access-control/folders/:uid/builtInRoles/:role': (call) => setOne(call, roleSubject(call.param('role'))),
    },
  );
}

/** What a subject shall have on a folder; an empty level is nothing. */
interface Wish {
  readonly subject: Subject;
  readonly level: string;
}

function wishesOf(call: LegacyCall): readonly Wish[] {
  const wishes = call.body(ItemsBody).items.map((item): Wish => {
    const level = LEVELS.get(item.permission);
    if (level === undefined) throw plainFailure(400, 'invalid permission');
    return { subject: subjectOf(call, item), level };
  });
  const subjects = new Set(wishes.map(({ subject }) => `${subject.kind}/${subject.name}`));
  if (subjects.size < wishes.length) throw plainFailure(400, 'a user, team or role has more than one permission');
  return wishes;
}

function subjectOf(call: LegacyCall, item: Item): Subject {
  const { role } = item;
  const user = item.userUid || (item.userId ? String(item.userId) : '');
  const team = item.teamUid || (item.teamId ? String(item.teamId) : '');
  if ([user, team, role ?? ''].filter((one) => one !== '').length !== 1) throw badRequestData();
  if (user !== '') return personSubject(call, user, 400);
  return team !== '' ? teamSubject(call, team, 400) : roleSubject(role ?? '');
}

/** Bindings directly on the folder that the legacy interface can tell: those of built-in levels. */
function bindingsOn(call: LegacyCall, folder: string): readonly Binding[] {
  if (!call.hasKind('RoleBinding')) return [];
  const prefix = [call.organization.namespace, folder];
  const all = [...call.objects<RoleBindingSpec>('RoleBinding').scan({ index: BY_FOLDER, prefix })];
  return all.filter(({ spec }) => spec?.roleRef.kind === 'BuiltIn');
}

const isOf =
  (subject: Subject) =>
  ({ spec }: Binding): boolean =>
    spec?.subject.kind === subject.kind && spec.subject.name === subject.name;

/** Gives each subject its level, in one commit; with `isWhole`, and nobody else any. */
async function apply(call: LegacyCall, folder: Folder, wishes: readonly Wish[], isWhole: boolean): Promise<void> {
  call.objects('Folder').require('folders.permissions:write', folder);
  const { plan } = call.objects<RoleBindingSpec>('RoleBinding');
  const { name } = folder.metadata;
  const present = bindingsOn(call, name);
  const kept = new Set<Binding>();
  const plans = wishes.flatMap(({ subject, level }) => {
    const own = present.find(isOf(subject));
    if (level === '') return [];
    if (own === undefined)
      return [plan.create({ metadata: { name: nameOf(name, subject) }, spec: specOf(name, subject, level) })];
    kept.add(own);
    return [plan.update(own.metadata.name, (old) => ({ ...old, spec: specOf(name, subject, level) }))];
  });
  const isGoing = (binding: Binding): boolean =>
    !kept.has(binding) && (isWhole || wishes.some(({ subject }) => isOf(subject)(binding)));
  const removals = present.filter(isGoing).map(({ metadata }) => plan.delete(metadata.name));
  await call.transact([...removals, ...plans]);
}

/** One binding a subject, whoever makes it first. */
function nameOf(folder: string, { kind, name }: Subject): string {
  return `${folder}.${kind.toLowerCase()}.${name}`;
}

function specOf(folder: string, subject: Subject, level: string): RoleBindingSpec {
  return { subject, roleRef: { kind: 'BuiltIn', name: level }, scope: { folder } };
}

/** What is granted on the folder, then on those around it. */
function permissionDtos(call: LegacyCall, folder: Folder, environment: KindEnvironment): readonly unknown[] {
  const folders = call.objects<FolderSpec>('Folder');
  folders.require('folders.permissions:read', folder);
  const found: unknown[] = [];
  for (let at: Folder | undefined = folder; at !== undefined; ) {
    for (const binding of bindingsOn(call, at.metadata.name)) found.push(bindingDto(call, at, binding, at !== folder));
    const parent = parentOf(at, environment);
    at = parent === undefined ? undefined : folders.peek(parent);
  }
  return found;
}

function bindingDto(call: LegacyCall, folder: Folder, { metadata, spec }: Binding, inherited: boolean): unknown {
  if (spec === undefined) throw new Error(`the role binding ${metadata.name} has no spec`);
  const title = folder.spec?.title ?? '';
  return {
    uid: folder.metadata.name,
    folderId: call.objects('Folder').idOf(folder),
    created: metadata.creationTimestamp,
    updated: metadata.creationTimestamp,
    ...subjectDto(call, spec.subject),
    permission: NUMBERS.get(spec.roleRef.name) ?? 0,
    permissionName: spec.roleRef.name,
    title,
    slug: slug(title),
    isFolder: true,
    url: folderUrl(folder),
    inherited,
  };
}
