import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { GroupResource } from '../../../pkg/kube/status/errors.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { AccountEnvironment } from '../../environment.js';
import { BY_USER as IDENTITIES_BY_USER } from '../../internal/externalidentity/schema.js';
import { externalUser } from '../external-user.js';
import { isReserved, isUser, SERVICE_ACCOUNT_PREFIX } from '../names.js';
import { BY_USER as BINDINGS_BY_USER, type OrganizationBindingSpec } from '../organizationbinding/schema.js';
import { changesAny, checkManualChange, checkProvisioner, isProvisioner, isRelease } from '../provisioned.js';
import { checkCreatedIn } from './created-in.js';
import type { UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/** What a provisioning system says about users. */
const MANAGED = [
  'login',
  'email',
  'name',
  'givenName',
  'familyName',
  'disabled',
  'provisioned',
  'provisionedBy',
] as const;

const PROVISIONED_BY = ['provisioned', 'provisionedBy'] as const;

/**
 * The rules for users whom a provider of sign-in, a provisioning system, or an organization has made or decides about.
 * They throw Forbidden.
 */
export function externalManagement(environment: AccountEnvironment, gr: GroupResource) {
  const identities = resourceName('internal/externalidentities', environment.domain);
  const bindings = resourceName('iam/organizationbindings', environment.domain);

  const isExternal = ({ metadata }: User, { reader }: WriteContext): boolean =>
    reader.range(identities, IDENTITIES_BY_USER, [metadata.name], 1).length > 0;

  /** The provider decides about the profile, unless the server itself, its operator or SCIM changes it. */
  const checkProfile = (user: User, old: User, ctx: WriteContext): void => {
    const { name } = ctx.user;
    if (!changesAny(user.spec, old.spec, ['login', 'email', 'name']) || ctx.isProvisioning === true) return;
    if (isReserved(name) && !name.startsWith(SERVICE_ACCOUNT_PREFIX)) return;
    if (isExternal(user, ctx)) throw externalUser(gr, user.metadata.name);
  };

  const isProvisioned = ({ metadata }: User, { reader }: WriteContext): boolean =>
    reader
      .range(bindings, BINDINGS_BY_USER, [metadata.name])
      .some((binding) => (binding.spec as OrganizationBindingSpec).provisioned === true);

  /** SCIM finds its people by login and address, so that nobody takes those of somebody else. */
  const checkOwnName = (user: User, old: User, ctx: WriteContext): void => {
    const { name } = user.metadata;
    if (!isUser(ctx.user, name) || isProvisioner(ctx) || !changesAny(user.spec, old.spec, ['login', 'email'])) return;
    if (isProvisioned(old, ctx)) throw externalUser(gr, name);
  };

  return {
    checkCreate: (user: User, ctx: WriteContext): void => {
      checkProvisioner({ gr, name: user.metadata.name }, user.spec, undefined, PROVISIONED_BY, ctx);
      checkCreatedIn({ gr, user, old: undefined }, ctx, environment);
    },
    checkChange: (user: User, old: User, ctx: WriteContext): void => {
      checkProvisioner({ gr, name: user.metadata.name }, user.spec, old.spec, PROVISIONED_BY, ctx);
      checkCreatedIn({ gr, user, old }, ctx, environment);
      checkProfile(user, old, ctx);
      checkOwnName(user, old, ctx);
      if (old.spec?.provisionedBy !== undefined && changesAny(user.spec, old.spec, MANAGED))
        checkManualChange({ gr, name: user.metadata.name }, ctx, environment, isRelease(user.spec, old.spec, ctx));
    },
    checkDelete: ({ metadata, spec }: User, ctx: WriteContext): void => {
      if (spec?.provisionedBy !== undefined) checkManualChange({ gr, name: metadata.name }, ctx, environment);
    },
  };
}
