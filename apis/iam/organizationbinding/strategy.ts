import type { Permission } from '../../../pkg/identity/authz/grants.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { groupName } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import { isEntryEffective } from '../../../registry/kinds/ready-condition.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { nameOf } from '../../../registry/read/reader.js';
import { checkEscalation } from '../../authorization/escalation.js';
import { basicRole, memberSubjects, permissionsOfSubjects } from '../../authorization/permissions.js';
import type { AccessEnvironment } from '../../environment.js';
import { memberConsequences } from '../access/member-consequences.js';
import { isEnding } from '../ending.js';
import { lastAdministrator } from '../last-administrator.js';
import { changesAny, checkManualChange, checkProvisioner, isRelease, withoutProvisioner } from '../provisioned.js';
import type { UserSpec } from '../user/schema.js';
import { BY_ROLE, type OrganizationBindingSpec } from './schema.js';

type Binding = KubeObject<OrganizationBindingSpec>;

/** A user has one membership per organization, and an organization keeps its last administrator. */
export function organizationBindingStrategy(environment: AccessEnvironment): Strategy<OrganizationBindingSpec> {
  const { domain } = environment;
  const bindings = resourceName('iam/organizationbindings', domain);
  const users = resourceName('iam/users', domain);
  const gr = { group: groupName('iam', domain), resource: 'organizationbindings' };

  const othersAdminister = (
    { metadata: { name, namespace = '' } }: Binding,
    { reader }: WriteContext,
    stays: (name: string) => boolean,
  ): boolean => {
    // Mostly the first one or two answer it. Nothing is parsed.
    for (const other of reader.walk(bindings, BY_ROLE, [namespace, 'Admin'])) {
      if (isEntryEffective(other) && nameOf(other) !== name && stays(nameOf(other))) return true;
    }
    return false;
  };

  /** A new member, and one who comes back, also gets what is bound to the user and to the user's teams. */
  const granted = ({ spec }: Binding, old: Binding | undefined, ctx: WriteContext): readonly Permission[] => {
    const { role = 'None', userRef, suspended } = spec ?? {};
    const isBack = old?.spec?.suspended === true && suspended !== true;
    if (role === old?.spec?.role && !isBack) return [];
    const subjects =
      old === undefined || isBack ? memberSubjects(userRef?.name ?? '', role, ctx, domain) : [basicRole(role)];
    return permissionsOfSubjects(subjects, ctx, environment);
  };

  // Without a mapping, people decide about roles.
  const managed = [
    'suspended',
    'provisioned',
    'externalUID',
    ...(hasRoles(environment) ? (['role'] as const) : []),
  ] as const;

  return {
    validate: (binding, old, ctx) => {
      if (old?.spec?.provisioned === true && changesAny(binding.spec, old.spec, managed))
        checkManualChange(
          { gr, name: binding.metadata.name },
          ctx,
          environment,
          isRelease(binding.spec, old.spec, ctx),
        );
      const object = { gr, name: binding.metadata.name };
      checkProvisioner(object, binding.spec, old?.spec, ['provisioned', 'externalUID'], ctx);
      checkEscalation({ ...object, permissions: granted(binding, old, ctx) }, ctx, environment);
      if (isAdmin(old) && !isAdmin(binding) && !othersAdminister(binding, ctx, () => true))
        throw lastAdministrator(gr, binding.metadata.name, LAST, 'spec.role');
      return binding.spec?.userRef.name === binding.metadata.name ? [] : [NAME];
    },
    // Who is released here is released whole.
    alsoWrite: ({ metadata: { name }, spec }, _sent, old, ctx) => {
      if (!isRelease(spec, old?.spec, ctx)) return [];
      const user = ctx.reader.get<UserSpec>(users, '', name)?.spec;
      const isOwned = user?.provisionedBy === ctx.namespace;
      return isOwned ? [{ resource: users, name, spec: withoutProvisioner(user) }] : [];
    },
    validateDelete: (binding, ctx) => {
      if (
        binding.spec?.provisioned === true &&
        !isEnding(ctx, domain) &&
        !ctx.isGoing(users, '', binding.metadata.name)
      )
        checkManualChange({ gr, name: binding.metadata.name }, ctx, environment);
      const stays = (name: string) => !ctx.isGoing(bindings, ctx.namespace, name);
      if (!isAdmin(binding) || isEnding(ctx, domain) || othersAdminister(binding, ctx, stays)) return;
      throw lastAdministrator(gr, binding.metadata.name, LAST, 'metadata.name');
    },
    *consequences(binding, old, ctx) {
      // A new member has the role that the author of the membership gives.
      if (old === undefined) return [];
      const subject = { kind: 'User', name: old.metadata.name } as const;
      return yield* memberConsequences({ subject, role: binding?.spec?.role, old: old.spec?.role }, ctx, environment);
    },
  };
}

const hasRoles = ({ scim }: AccessEnvironment): boolean => (scim?.groupRoles.size ?? 0) > 0;

const LAST = 'Cannot remove last organization admin';

const NAME = {
  reason: 'FieldValueInvalid',
  message: 'Invalid value: must be the same as metadata.name, so that a user is a member once',
  field: 'spec.userRef.name',
};

function isAdmin(binding: Binding | undefined): boolean {
  return binding?.spec?.role === 'Admin' && binding.spec.suspended !== true;
}
