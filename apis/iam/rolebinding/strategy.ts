import { isDeepStrictEqual } from 'node:util';
import { MASTERS_GROUP } from '../../../pkg/authn/user.js';
import type { Permission } from '../../../pkg/authz/grants.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import { groupName, type KindEnvironment } from '../../../registry/kind.js';
import type { Strategy, WriteContext } from '../../../registry/strategy.js';
import { checkEscalation, isServerWide } from '../../authorization/escalation.js';
import { permissionsOfBinding } from '../../authorization/permissions.js';
import type { RoleBindingSpec } from './schema.js';

const BASIC_ROLES = ['Viewer', 'Editor', 'Admin'];
const FOLDER_SETS = ['View', 'Edit', 'Admin'];

/**
 * A binding names existing built-in sets and roles, and does not grant permissions that its author lacks. Only server administrators may grant
 * actions on the whole server.
 */
export function roleBindingStrategy({ domain }: KindEnvironment): Strategy<RoleBindingSpec> {
  const gr = { group: groupName('iam', domain), resource: 'rolebindings' };
  const reachesServer = (spec: RoleBindingSpec, ctx: WriteContext): boolean =>
    !ctx.user.groups.includes(MASTERS_GROUP) &&
    permissionsOfBinding(spec, ctx, domain).some(({ action }) => isServerWide(action));
  /** The permissions that the escalation check covers. The administrators of a folder may grant any folder permission, so these are exempt. */
  const granted = (spec: RoleBindingSpec, ctx: WriteContext): readonly Permission[] =>
    spec.scope?.folder === undefined ? permissionsOfBinding(spec, ctx, domain) : [];
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      if (spec === undefined) return [];
      if (!isDeepStrictEqual(spec, old?.spec))
        checkEscalation({ gr, name, permissions: granted(spec, ctx) }, ctx, domain);
      const causes: StatusCause[] = [];
      if (spec.subject.kind === 'BasicRole' && !BASIC_ROLES.includes(spec.subject.name))
        causes.push(unsupported('spec.subject.name', spec.subject.name, BASIC_ROLES));
      const sets = spec.scope?.folder === undefined ? BASIC_ROLES : FOLDER_SETS;
      if (spec.roleRef.kind === 'BuiltIn' && !sets.includes(spec.roleRef.name))
        causes.push(unsupported('spec.roleRef.name', spec.roleRef.name, sets));
      if (reachesServer(spec, ctx)) causes.push(REACHES_SERVER);
      return causes;
    },
  };
}

const REACHES_SERVER: StatusCause = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: only server administrators may give a role with actions on users, organizations and settings',
  field: 'spec.roleRef.name',
};

function unsupported(field: string, value: string, known: readonly string[]): StatusCause {
  const list = known.map((one) => JSON.stringify(one)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value.slice(0, 100))}: supported values: ${list}`;
  return { reason: 'FieldValueNotSupported', message, field };
}
