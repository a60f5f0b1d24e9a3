import { z } from 'zod';
import { arrayOf } from '../../../../pkg/meta/bounded.js';
import { ulidGenerator } from '../../../../pkg/meta/ulid.js';
import { flag } from '../../../../registry/legacy/body.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule, plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { created, deleted, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { BY_ROLE } from '../../rolebinding/schema.js';
import { MOST_PERMISSIONS, type RoleSpec } from '../schema.js';
import { assignmentRoutes } from './assignments.js';
import { builtInRoutes } from './built-in.js';
import { fullRoleDto, ROLE_ANSWERED, type Role, roleDto } from './dto.js';

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

export const ROLE_NOT_FOUND: ErrorRule = { code: 404, status: 404, body: { message: 'role not found' } };
const ERRORS: readonly ErrorRule[] = [
  { reason: 'AlreadyExists', status: 400, body: { message: 'a role with this uid already exists' } },
  ROLE_NOT_FOUND,
];

/** `/api/access-control/roles`: the custom roles of the organization, and who has them; and what the roles of the server allow. */
export function roleRouter(services: ConfiguredServices): LegacyRouter {
  return legacyRouter(
    services,
    routes(
      { errors: ERRORS, fallback: 'Failed to update role', answered: ROLE_ANSWERED },
      {
        'GET /access-control/status': {
          single: true,
          summary: 'Tells that roles can be managed',
          handle: () => ok({ enabled: true }),
        },
        'GET /access-control/roles': {
          summary: 'Lists the roles of the organization',
          query: ['includeHidden'],
          handle: list,
        },
        'POST /access-control/roles': { summary: 'Creates a role', body: Body, handle: create },
        'GET /access-control/roles/:uid': {
          single: true,
          summary: 'Reads a role with its permissions',
          handle: (call) => ok(fullRoleDto(call, call.objects('iam/Role').get(call.param('uid')) as Role)),
        },
        'PUT /access-control/roles/:uid': { summary: 'Replaces a role', body: Body, handle: replace },
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

/** The roles that the caller may view, by name. `includeHidden=true` adds the hidden ones. */
const list: LegacyHandler = (call) => {
  const roles = call.objects<RoleSpec>('iam/Role');
  requireAction(roles, 'roles:read');
  const isHiddenShown = flag(call.query, 'includeHidden');
  const isShown = ({ spec }: Role): boolean => isHiddenShown || spec.hidden !== true;
  return ok(([...roles.list()] as Role[]).filter(isShown).map((role) => roleDto(call, role)));
};

const create: LegacyHandler = async (call) => {
  const roles = call.objects<RoleSpec>('iam/Role');
  requireAction(roles, 'roles:write');
  const body = call.body(Body);
  if (!body.name?.trim()) throw badRequestData(undefined, 'name: must not be empty');
  warnGlobal(call, body.global);
  const role = await roles.create({ metadata: { name: body.uid || newUid() }, spec: specFrom(body) });
  return created(fullRoleDto(call, role as Role));
};

/** Callers may count the versions of a role, so that nobody overwrites a change that they have not seen. For others, the server counts. */
const replace: LegacyHandler = async (call) => {
  const roles = call.objects<RoleSpec>('iam/Role');
  const uid = roles.getFor('update', call.param('uid')).metadata.name;
  const body = call.body(Body);
  warnGlobal(call, body.global);
  const role = await roles.update(uid, (old) => {
    const stored = old.spec?.version ?? 0;
    const version = body.version || stored + 1;
    if (version <= stored) throw plainFailure(400, `version must be higher than ${stored}, the stored one`);
    const { name = '', ...spec } = specFrom(body);
    const kept = name || old.spec?.name;
    return { ...old, spec: { ...spec, version, ...(kept !== undefined && { name: kept }) } };
  });
  return ok(fullRoleDto(call, role as Role));
};

/** A role that somebody has is deleted only with `force=true`: then they lose it. */
const remove: LegacyHandler = async (call) => {
  const isForced = flag(call.query, 'force');
  const uid = call.objects('iam/Role').getFor('delete', call.param('uid')).metadata.name;
  const role = await call.transact((transaction) => {
    const held = { index: BY_ROLE, prefix: [call.organization.namespace, uid] };
    const isHeld = transaction.objects('iam/RoleBinding').range(held).next().done !== true;
    if (isHeld && !isForced)
      throw plainFailure(400, 'the role is assigned: remove its assignments, or send force=true');
    return transaction.objects('iam/Role').delete(uid);
  });
  return deleted(role, 'Role deleted');
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

/** Clients send `global` for the role of a server with one organization. Its other organizations do not get the role. */
function warnGlobal(call: LegacyCall, isGlobal: boolean | null | undefined): void {
  if (isGlobal) call.warn([`global: the role belongs to this organization (${call.organization.id}) and to no other`]);
}
