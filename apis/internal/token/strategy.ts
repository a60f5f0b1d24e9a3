import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { HIDDEN_CHARACTERS, hasHiddenBesideJoiners } from '../../../pkg/system/text/look-alike.js';
import { groupName } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { checkEscalation } from '../../authorization/escalation.js';
import { accountSubjects, permissionsOfSubjects } from '../../authorization/permissions.js';
import type { ApisEnvironment } from '../../environment.js';
import type { TokenSpec } from './schema.js';

/**
 * The holder of a token acts as its service account. So callers must have all permissions of an account to issue a
 * token for it. If there is a maximum lifetime, new tokens without an expiry get it, and longer ones are refused.
 * Tokens that exist already keep their expiry.
 */
export function tokenStrategy(environment: ApisEnvironment): Strategy<TokenSpec> {
  const { domain, maxTokenLifetime } = environment;
  const accounts = resourceName('iam/serviceaccounts', domain);
  const gr = { group: groupName('iam', domain), resource: 'serviceaccounts' };
  const latest = ({ now }: WriteContext): number => Date.parse(now) + (maxTokenLifetime ?? Number.POSITIVE_INFINITY);
  return {
    prepareForCreate: (token, ctx) => {
      if (maxTokenLifetime === undefined || token.spec === undefined || token.spec.expires !== undefined) return token;
      return { ...token, spec: { ...token.spec, expires: new Date(latest(ctx)).toISOString() } };
    },
    validate: ({ spec }, old, ctx) => {
      const name = spec?.serviceAccountRef.name ?? '';
      const account = old === undefined ? ctx.reader.get(accounts, ctx.namespace, name) : undefined;
      const { role = 'None' } = (account?.spec ?? {}) as Role;
      const permissions = account ? permissionsOfSubjects(accountSubjects(name, role), ctx, environment) : [];
      checkEscalation({ gr, name, permissions }, ctx, environment);
      if (old !== undefined) return [];
      return [
        ...(hasHiddenBesideJoiners(spec?.title ?? '') ? [HIDDEN] : []),
        ...(expiryOf(spec) > latest(ctx) + PRECISION ? [TOO_LONG] : []),
      ];
    },
  };
}

/** What a service account is in its organization. */
type Role = { readonly role?: Parameters<typeof accountSubjects>[1] };

/** Milliseconds: the time of a write is exact to a second. */
const PRECISION = 1000;

const expiryOf = (spec: TokenSpec | undefined): number => Date.parse(spec?.expires ?? '');

/** Who revokes a token finds it by its name. Tokens that exist already keep theirs. */
const HIDDEN: StatusCause = {
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${HIDDEN_CHARACTERS}`,
  field: 'spec.title',
};

const TOO_LONG: StatusCause = {
  reason: 'FieldValueInvalid',
  message:
    'Invalid value: must not be later than the maximum lifetime of tokens allows (setting security.max_token_lifetime)',
  field: 'spec.expires',
};
