import { MASTERS_GROUP } from '../../pkg/authn/user.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { StatusCause } from '../../pkg/status/status.js';
import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy, WriteContext } from '../../registry/strategy.js';
import { resourceName } from '../iam/names.js';
import { isServerWide } from '../iam/server-actions.js';
import type { RoleSpec } from '../role/kind.js';
import type { RoleBindingSpec } from './kind.js';

const BASIC_ROLES = ['Viewer', 'Editor', 'Admin'];
const FOLDER_SETS = ['View', 'Edit', 'Admin'];

/** Names of sets and roles that there are, and no way for organizations' administrators to reach beyond their organization. */
export function roleBindingStrategy({ domain }: KindEnvironment): Strategy<RoleBindingSpec> {
  const roles = resourceName('roles', domain);
  const reachesServer = ({ spec }: KubeObject<RoleBindingSpec>, { view, namespace, user }: WriteContext): boolean => {
    if (spec?.roleRef.kind !== 'Role' || user.groups.includes(MASTERS_GROUP)) return false;
    const role = view.get(roles, namespace, spec.roleRef.name);
    return (role?.spec as RoleSpec | undefined)?.permissions.some(({ action }) => isServerWide(action)) === true;
  };
  return {
    validate: (binding, _old, ctx) => {
      const { spec } = binding;
      if (spec === undefined) return [];
      const causes: StatusCause[] = [];
      if (spec.subject.kind === 'BasicRole' && !BASIC_ROLES.includes(spec.subject.name))
        causes.push(unsupported('spec.subject.name', spec.subject.name, BASIC_ROLES));
      const sets = spec.scope?.folder === undefined ? BASIC_ROLES : FOLDER_SETS;
      if (spec.roleRef.kind === 'BuiltIn' && !sets.includes(spec.roleRef.name))
        causes.push(unsupported('spec.roleRef.name', spec.roleRef.name, sets));
      if (reachesServer(binding, ctx)) causes.push(REACHES_SERVER);
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
