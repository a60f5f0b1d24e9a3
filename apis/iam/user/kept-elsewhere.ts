import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { GroupResource } from '../../../pkg/kube/status/errors.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { WriteContext } from '../../../registry/kinds/strategy.js';
import type { ProvisioningEnvironment } from '../../environment.js';
import { BY_USER as IDENTITIES_BY_USER } from '../../internal/externalidentity/schema.js';
import { externalUser } from '../external-user.js';
import { isReserved, SERVICE_ACCOUNT_PREFIX } from '../names.js';
import { changesAny, checkManualChange } from '../provisioned.js';
import type { UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/** What a provisioning system says about users. */
const KEPT = ['login', 'email', 'name', 'givenName', 'familyName', 'disabled', 'provisioned', 'provisionedBy'] as const;

/** The rules for users whom a provider of sign-in, or a provisioning system, decides about. They throw Forbidden. */
export function keptElsewhere(environment: ProvisioningEnvironment, gr: GroupResource) {
  const identities = resourceName('internal/externalidentities', environment.domain);

  const isExternal = ({ metadata }: User, { reader }: WriteContext): boolean =>
    reader.range(identities, IDENTITIES_BY_USER, [metadata.name], 1).length > 0;

  /** The provider decides about the profile, unless the server itself, its operator or SCIM changes it. */
  const checkProfile = (user: User, old: User, ctx: WriteContext): void => {
    const { name } = ctx.user;
    if (!changesAny(user.spec, old.spec, ['login', 'email', 'name']) || ctx.isProvisioning === true) return;
    if (isReserved(name) && !name.startsWith(SERVICE_ACCOUNT_PREFIX)) return;
    if (isExternal(user, ctx)) throw externalUser(gr, user.metadata.name);
  };

  return {
    checkChange: (user: User, old: User, ctx: WriteContext): void => {
      checkProfile(user, old, ctx);
      if (old.spec?.provisionedBy !== undefined && changesAny(user.spec, old.spec, KEPT))
        checkManualChange({ gr, name: user.metadata.name }, ctx, environment);
    },
    checkDelete: ({ metadata, spec }: User, ctx: WriteContext): void => {
      if (spec?.provisionedBy !== undefined) checkManualChange({ gr, name: metadata.name }, ctx, environment);
    },
  };
}
