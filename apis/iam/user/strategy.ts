import { MASTERS_GROUP } from '../../../pkg/authn/user.js';
import type { KubeObject } from '../../../pkg/meta/types.js';
import { forbidden } from '../../../pkg/status/errors.js';
import type { StatusCause } from '../../../pkg/status/status.js';
import type { KindEnvironment } from '../../../registry/kind.js';
import type { Strategy, WriteContext } from '../../../registry/strategy.js';
import { sessionsOf } from '../../internal/session/kind.js';
import { fold } from '../fields.js';
import { lastAdministrator } from '../last-administrator.js';
import { resourceName } from '../names.js';
import { BY_ADMINISTRATOR, BY_EMAIL, BY_LOGIN, isAdministrator, type UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/** Callers' names of this form are the server's own: nobody may log in as one. */
const SYSTEM = 'system:';

/** Who a login or an e-mail address stands for is never in doubt, and there is always an administrator. */
export function userStrategy({ domain }: KindEnvironment): Strategy<UserSpec> {
  const users = resourceName('users', domain);
  const gr = { group: users.slice(users.indexOf('.') + 1), resource: 'users' };

  const takenBy = (index: string, text: string, user: User, { reader }: WriteContext): boolean =>
    reader.range(users, index, [fold(text)], 2).some(({ metadata }) => metadata.uid !== user.metadata.uid);

  /** Another user's login is no e-mail address of this one, nor the other way round: people log in with either. */
  const crossCauses = (user: User, ctx: WriteContext): readonly StatusCause[] => {
    const { login, email } = specOf(user);
    const causes: StatusCause[] = [];
    if (takenBy(BY_EMAIL, login, user, ctx) && !takenBy(BY_LOGIN, login, user, ctx))
      causes.push(duplicate('spec.login', 'another user has this login as e-mail address'));
    if (takenBy(BY_LOGIN, email, user, ctx) && !takenBy(BY_EMAIL, email, user, ctx))
      causes.push(duplicate('spec.email', 'another user has this e-mail address as login'));
    return causes;
  };

  /** Administrators who stay whatever happens to this one. */
  const othersAdminister = (user: User, { reader }: WriteContext, stays: (name: string) => boolean): boolean =>
    reader
      .range(users, BY_ADMINISTRATOR, [], Number.POSITIVE_INFINITY)
      .some(({ metadata }) => metadata.name !== user.metadata.name && stays(metadata.name));

  return {
    prepareForCreate: (user, ctx) => {
      checkPromotion(gr, user, undefined, ctx);
      return complete(user);
    },
    prepareForUpdate: (user, old, ctx) => {
      checkPromotion(gr, user, old, ctx);
      return complete(user);
    },
    validate: (user, old, ctx) => {
      const { login, email } = specOf(user);
      if (login === '' && email === '') return [EMPTY];
      if (
        old !== undefined &&
        isAdministrator(old) &&
        !isAdministrator(user) &&
        !othersAdminister(user, ctx, () => true)
      )
        throw lastAdministrator(gr, user.metadata.name, LAST, 'spec.grafanaAdmin');
      const system = fold(login).startsWith(SYSTEM) ? [RESERVED] : [];
      return [...system, ...crossCauses(user, ctx)];
    },
    // Enabled again, they log in again.
    alsoDelete: (user, old, { reader }) =>
      specOf(user).disabled && !specOf(old).disabled ? sessionsOf(reader, domain, user.metadata.name) : [],
    validateDelete: (user, ctx) => {
      const stays = (name: string) => !ctx.isGoing(users, '', name);
      if (isAdministrator(user) && !othersAdminister(user, ctx, stays))
        throw lastAdministrator(gr, user.metadata.name, LAST, 'metadata.name');
    },
  };
}

const LAST = 'cannot remove last grafana admin';

const EMPTY: StatusCause = {
  reason: 'FieldValueRequired',
  message: 'Need to specify either username or email',
  field: 'spec.login',
};

const RESERVED: StatusCause = {
  reason: 'FieldValueInvalid',
  message: `a login must not begin with ${JSON.stringify(SYSTEM)}`,
  field: 'spec.login',
};

function duplicate(field: string, message: string): StatusCause {
  return { reason: 'FieldValueDuplicate', message, field };
}

function specOf({ spec }: User): UserSpec {
  if (spec === undefined) throw new Error('a user without a spec passed the schema');
  return spec;
}

/** Each of login and e-mail address stands in for the other. */
function complete(user: User): User {
  const spec = specOf(user);
  const { login, email } = spec;
  if (login !== '' && email !== '') return user;
  return { ...user, spec: { ...spec, login: login || email, email: email || login } };
}

/** Who may write users does not for that administer the server: only administrators make administrators, and unmake them. */
function checkPromotion(
  gr: { readonly group: string; readonly resource: string },
  user: User,
  old: User | undefined,
  { user: caller }: WriteContext,
): void {
  const before = old !== undefined && specOf(old).grafanaAdmin;
  if (specOf(user).grafanaAdmin === before || caller.groups.includes(MASTERS_GROUP)) return;
  throw forbidden(gr, user.metadata.name, 'only server administrators decide who administers the server');
}
