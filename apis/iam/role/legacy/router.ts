import { z } from 'zod';
import { arrayOf } from '../../../../pkg/kube/meta/bounded.js';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import { notFound } from '../../../../pkg/kube/status/errors.js';
import { flag } from '../../../../registry/legacy/body.js';
import { badRequestData, type ErrorRule, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { created, deleted, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { DEFAULT_ORGANIZATION } from '../../names.js';
import { BY_GLOBAL_ROLE, BY_ROLE, type RoleBindingSpec } from '../../rolebinding/schema.js';
import { MOST_PERMISSIONS, type RoleSpec } from '../schema.js';
import { GLOBAL_STAYS } from '../strategy.js';
import { ACCESS_CONTROL_STATUS, ROLE, ROLES } from './answers.js';
import { assignmentRoutes } from './assignments.js';
import { builtInRoutes } from './built-in.js';
import { fullRoleDto, ROLE_ANSWERED, type Role, roleDto } from './dto.js';
import { foreignGlobalRoles, globalRoles, isSameRole, refTo, roleFor } from './global.js';
import { ROLE_NOTES } from './notes.js';

const Permission = z.object({ action: z.string(), scope: z.string().nullish() });
const Body = z.object({
  uid: z.string().nullish(),
  name: z.string().nullish(),
  displayName: z.string().nullish(),
  description: z.string().nullish(),
  group: z.string().nullish(),
  version: z.int().nullish(),
  global: z.boolean().nullish(),
  hidden: z.boolean().nullish(),
  permissions: arrayOf(Permission, MOST_PERMISSIONS).nullish(),
});
type Body = z.output<typeof Body>;

const newUid = ulidGenerator();
const UID_TAKEN = 'a role with this uid already exists';

export const ROLE_NOT_FOUND: ErrorRule = { code: 404, status: 404, body: { message: 'role not found' } };
const ERRORS: readonly ErrorRule[] = [
  { reason: 'AlreadyExists', status: 400, body: { message: UID_TAKEN } },
  ROLE_NOT_FOUND,
];

/**
 * `/api/access-control/roles`: the custom roles of the organization, and who has them; and what the roles of the server
 * allow.
 */
export function roleRouter(services: ConfiguredServices): LegacyRouter {
  return legacyRouter(
    services,
    routes(
      { notes: ROLE_NOTES, errors: ERRORS, fallback: 'Failed to update role', answerMembers: ROLE_ANSWERED },
      {
        'GET /access-control/status': {
          single: true,
          answer: ACCESS_CONTROL_STATUS,
          summary: 'Tells that roles can be managed',
          handle: () => ok({ enabled: true }),
        },
        'GET /access-control/roles': {
          answer: ROLES,
          summary: 'Lists the roles of the organization',
          query: ['includeHidden'],
          handle: list,
        },
        'POST /access-control/roles': { answer: ROLE, summary: 'Creates a role', body: Body, handle: create },
        'GET /access-control/roles/:uid': {
          single: true,
          answer: ROLE,
          summary: 'Reads a role with its permissions',
          handle: (call) => ok(fullRoleDto(call, roleFor(call, 'get', call.param('uid')))),
        },
        'PUT /access-control/roles/:uid': { answer: ROLE, summary: 'Replaces a role', body: Body, handle: replace },
        'DELETE /access-control/roles/:uid': {
          summary: 'Deletes a role',
          query: ['force', 'global'],
          handle: remove,
        },
      },
    ),
    assignmentRoutes(),
    builtInRoutes(services),
  );
}

/**
 * The roles that the caller may view, by name, and then the global ones of other organizations. `includeHidden=true`
 * adds the hidden ones.
 */
const list: LegacyHandler = (call) => {
  const roles = call.objects<RoleSpec>('iam/Role');
  requireAction(roles, 'roles:read');
  const isHiddenShown = flag(call.query, 'includeHidden');
  const isShown = ({ spec }: Role): boolean => isHiddenShown || spec.hidden !== true;
  const all = [...(roles.list() as Iterable<Role>), ...foreignGlobalRoles(call)];
  return ok(all.filter(isShown).map((role) => roleDto(call, role)));
};

/**
 * A global role lies in the first organization. No role of the organization and no global role have one uid, because
 * clients name both by it.
 */
const create: LegacyHandler = async (call) => {
  const roles = call.objects<RoleSpec>('iam/Role');
  requireAction(roles, 'roles:write');
  const body = call.body(Body);
  if (!body.name?.trim()) throw badRequestData(undefined, 'name: must not be empty');
  const uid = body.uid ?? '';
  const isTaken = roles.find(uid) !== undefined || globalRoles(call).find(uid)?.spec?.global === true;
  if (isTaken) throw plainFailure(400, UID_TAKEN);
  const place = body.global === true ? DEFAULT_ORGANIZATION : call.organization.namespace;
  const role = await call
    .objects<RoleSpec>('iam/Role', place)
    .create({ metadata: { name: body.uid || newUid() }, spec: specFrom(body) });
  return created(fullRoleDto(call, role as Role));
};

/**
 * Callers may count the versions of a role, so that nobody overwrites a change that they have not seen. For others, the
 * server counts.
 */
const replace: LegacyHandler = async (call) => {
  const role = roleFor(call, 'update', call.param('uid'));
  const body = call.body(Body);
  const { name: uid, namespace = '' } = role.metadata;
  const isGlobal = role.spec.global === true;
  if (isGlobal !== (body.global ?? isGlobal)) throw plainFailure(400, `global: ${GLOBAL_STAYS}`);
  const replaced = await call.objects<RoleSpec>('iam/Role', namespace).update(uid, (old) => {
    const stored = old.spec?.version ?? 0;
    const version = body.version || stored + 1;
    if (version <= stored) throw plainFailure(400, `version must be higher than ${stored}, the stored one`);
    const { name = '', ...spec } = specFrom({ ...body, global: isGlobal });
    const kept = name || old.spec?.name;
    return { ...old, spec: { ...spec, version, ...(kept !== undefined && { name: kept }) } };
  });
  return ok(fullRoleDto(call, replaced as Role));
};

/**
 * A role that somebody has is deleted only with `force=true`: then they lose it, a global role in all organizations.
 */
const remove: LegacyHandler = async (call) => {
  const [isForced, wantsGlobal] = [flag(call.query, 'force'), flag(call.query, 'global')];
  const role = roleFor(call, 'delete', call.param('uid'));
  const { name: uid, namespace = '' } = role.metadata;
  const isGlobal = role.spec.global === true;
  if (call.query.has('global') && wantsGlobal !== isGlobal) throw notFound(call.kind('iam/Role'), uid);
  const removed = await call.transact((transaction) => {
    const bindings = transaction.objects<RoleBindingSpec>('iam/RoleBinding');
    const inPlace = [...bindings.range({ index: BY_ROLE, prefix: [namespace, uid] })];
    const isHeld =
      inPlace.some(({ spec }) => isSameRole(refTo(role), spec?.roleRef, namespace)) ||
      (isGlobal && bindings.range({ index: BY_GLOBAL_ROLE, prefix: [uid] }).next().done !== true);
    if (isHeld && !isForced)
      throw plainFailure(400, 'the role is assigned: remove its assignments, or send force=true');
    return transaction.objects('iam/Role', namespace).delete(uid);
  });
  return deleted(removed, 'Role deleted');
};

function specFrom(body: Body): RoleSpec {
  const { global, name, displayName, description, group, hidden, version } = body;
  const permissions = (body.permissions ?? []).map(({ action, scope }) => ({ action, scope: scope ?? '' }));
  return {
    ...(name && { name: named(name) }),
    ...(displayName && { title: displayName }),
    ...(description && { description }),
    ...(group && { group }),
    ...(hidden && { hidden }),
    ...(global && { global }),
    ...(version && { version }),
    permissions,
  };
}

const RESERVED = /^(fixed|basic|managed|plugins):/;

function named(name: string): string {
  if (RESERVED.test(name))
    throw plainFailure(400, `${JSON.stringify(name)}: names that begin so are those of the server`);
  return name;
}
