import { isDeepStrictEqual } from 'node:util';
import { MASTERS_GROUP } from '../../../pkg/identity/authn/user.js';
import type { Permission } from '../../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { groupName } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import { isEffective } from '../../../registry/kinds/ready-condition.js';
import type { ObjectChange, Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { checkEscalation, checkReach, isServerWide } from '../../authorization/escalation.js';
import { permissionsOfBinding } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import { type BindingWrite, bindingConsequences } from '../access/consequences.js';
import { DEFAULT_ORGANIZATION } from '../names.js';
import type { RoleSpec } from '../role/schema.js';
import { SERVICE_ACCOUNT_SETS } from '../serviceaccount/access.js';
import type { RoleBindingSpec } from './schema.js';

const BASIC_ROLES = ['Viewer', 'Editor', 'Admin'];
/** The sets of folders and dashboards. */
const SCOPED_SETS = ['View', 'Edit', 'Admin'];
/** Those of service accounts. */
const ACCOUNT_SETS = Object.keys(SERVICE_ACCOUNT_SETS);

/**
 * A binding names existing built-in sets and roles, and does not grant permissions that its author lacks. Only server
 * administrators may grant actions on the whole server.
 */
export function roleBindingStrategy(environment: AccessEnvironment): Strategy<RoleBindingSpec> {
  const { domain } = environment;
  const gr = { group: groupName('iam', domain), resource: 'rolebindings' };
  const reachesServer = (spec: RoleBindingSpec, ctx: WriteContext): boolean =>
    !ctx.user.groups.includes(MASTERS_GROUP) &&
    permissionsOfBinding(spec, ctx, environment).some(({ action }) => isServerWide(action));
  /**
   * The permissions that the escalation check covers. The administrators of a folder or a dashboard may grant any
   * permission on it, so these are exempt. So are those of a service account: a caller who gives it a token or a role,
   * or enables it, must have all of its permissions anyway.
   */
  const granted = (spec: RoleBindingSpec, ctx: WriteContext): readonly Permission[] =>
    isScoped(spec) ? [] : permissionsOfBinding(spec, ctx, environment);
  const refuseMore = (name: string, spec: RoleBindingSpec, ctx: WriteContext): void => {
    checkEscalation({ gr, name, permissions: granted(spec, ctx), refusesServerWide: true }, ctx, environment);
    const folder = spec.scope?.folder;
    if (folder === undefined || spec.subject.kind === 'BasicRole') return;
    checkReach({ gr, name, folder, action: 'folders.permissions:write' }, ctx, domain);
  };
  /**
   * A role of the first organization that is not global is like none, so that nobody learns which roles it has. Nothing
   * waits for a global role.
   */
  const unknownGlobal = ({ roleRef: { kind, name } }: RoleBindingSpec, { reader }: WriteContext): StatusCause[] => {
    if (kind !== 'GlobalRole') return [];
    const role = reader.get(resourceName('iam/roles', domain), DEFAULT_ORGANIZATION, name);
    if ((role?.spec as RoleSpec | undefined)?.global === true) return [];
    const message = `Not found: there is no global role ${JSON.stringify(name)}`;
    return [{ reason: 'FieldValueNotFound', message, field: 'spec.roleRef.name' }];
  };
  return {
    validate: ({ metadata: { name }, spec }, old, ctx) => {
      if (spec === undefined) return [];
      if (!isDeepStrictEqual(spec, old?.spec)) refuseMore(name, spec, ctx);
      const causes: StatusCause[] = [];
      if (spec.subject.kind === 'BasicRole' && !BASIC_ROLES.includes(spec.subject.name))
        causes.push(unsupported('spec.subject.name', spec.subject.name, BASIC_ROLES));
      const sets = setsOf(spec);
      if (spec.roleRef.kind === 'BuiltIn' && !sets.includes(spec.roleRef.name))
        causes.push(unsupported('spec.roleRef.name', spec.roleRef.name, sets));
      if (!isDeepStrictEqual(spec.roleRef, old?.spec?.roleRef)) causes.push(...unknownGlobal(spec, ctx));
      if (placesOf(spec) > 1) causes.push(TWO_SCOPES);
      if (reachesServer(spec, ctx)) causes.push(REACHES_SERVER);
      return causes;
    },
    consequencesTogether: (changes, { reader, namespace, visible }) =>
      bindingConsequences(changes.map(bindingWrite), { reader, namespace, environment }, visible),
  };
}

/** A binding that waits gives nothing. */
function bindingWrite({ object, old }: ObjectChange<RoleBindingSpec>): BindingWrite {
  const specOf = (one: KubeObject<RoleBindingSpec> | undefined): RoleBindingSpec | undefined =>
    one !== undefined && isEffective(one) ? one.spec : undefined;
  return { name: (object ?? old)?.metadata.name ?? '', spec: specOf(object), old: specOf(old) };
}

function isScoped({ scope }: Pick<RoleBindingSpec, 'scope'>): boolean {
  return placesOf({ scope }) > 0;
}

function placesOf({ scope }: Pick<RoleBindingSpec, 'scope'>): number {
  return [scope?.folder, scope?.dashboard, scope?.serviceAccount].filter((place) => place !== undefined).length;
}

/** The names of the built-in sets that can be given where the binding is. */
function setsOf(spec: RoleBindingSpec): readonly string[] {
  if (spec.scope?.serviceAccount !== undefined) return ACCOUNT_SETS;
  return isScoped(spec) ? SCOPED_SETS : BASIC_ROLES;
}

const TWO_SCOPES: StatusCause = {
  reason: 'FieldValueInvalid',
  message: 'Invalid value: a binding is on a folder, on a dashboard or on a service account, not on several',
  field: 'spec.scope',
};

const REACHES_SERVER: StatusCause = {
  reason: 'FieldValueForbidden',
  message: 'Forbidden: only server administrators may give a role with actions on users, organizations and settings',
  field: 'spec.roleRef.name',
};

function unsupported(field: string, value: string, known: readonly string[]): StatusCause {
  const list = known.map((name) => JSON.stringify(name)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(value.slice(0, 100))}: supported values: ${list}`;
  return { reason: 'FieldValueNotSupported', message, field };
}
