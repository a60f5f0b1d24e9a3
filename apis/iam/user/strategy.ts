import { MASTERS_GROUP } from '../../../pkg/identity/authn/user.js';
import { fold } from '../../../pkg/kube/meta/fold.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { forbidden } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { skeleton } from '../../../pkg/system/text/look-alike.js';
import { resourceName } from '../../../registry/kinds/names.js';
import type { Strategy, WriteContext } from '../../../registry/kinds/strategy.js';
import { type Entry, nameOf } from '../../../registry/read/reader.js';
import type { AccountEnvironment } from '../../environment.js';
import { sessionsOf } from '../../internal/session/kind.js';
import { lastAdministrator } from '../last-administrator.js';
import { isReserved, SYSTEM_PREFIX } from '../names.js';
import { foreignLogin, withVerification } from './address.js';
import { externalManagement } from './external-management.js';
import { lookAlikes } from './look-alike.js';
import { BY_ADMINISTRATOR, BY_EMAIL, BY_LOGIN, BY_SKELETON, isAdministrator, type UserSpec } from './schema.js';

type User = KubeObject<UserSpec>;

/** Logins and e-mail addresses identify one user, and there is always a server administrator. */
export function userStrategy(environment: AccountEnvironment): Strategy<UserSpec> {
  const { domain } = environment;
  const users = resourceName('iam/users', domain);
  const deactivations = resourceName('internal/deactivations', domain);
  const gr = { group: users.slice(users.indexOf('.') + 1), resource: 'users' };

  const management = externalManagement(environment, gr);

  const takenBy = (index: string, text: string, user: User, { reader }: WriteContext): boolean =>
    reader.range(users, index, [fold(text)], 2).some(({ metadata }) => metadata.uid !== user.metadata.uid);

  /**
   * Another user has a login or an address that looks like the text. The same text is told by the rules for unique
   * values.
   */
  const similarTo = (text: string, plain: string, user: User, { reader }: WriteContext): boolean =>
    reader.range(users, BY_SKELETON, [plain], MOST_SIMILAR).some((other) => {
      const { login, email } = specOf(other as User);
      const isLike = (item: string): boolean => fold(item) !== text && skeleton(item) === plain;
      return other.metadata.uid !== user.metadata.uid && (isLike(login) || isLike(email));
    });

  /**
   * The login of a user must not be the e-mail address of another one, nor the reverse, because users log in with
   * either.
   */
  const crossCauses = (user: User, ctx: WriteContext): readonly StatusCause[] => {
    const { login, email } = specOf(user);
    const causes: StatusCause[] = [];
    if (takenBy(BY_EMAIL, login, user, ctx) && !takenBy(BY_LOGIN, login, user, ctx))
      causes.push(duplicate('spec.login', 'another user has this login as e-mail address'));
    if (takenBy(BY_LOGIN, email, user, ctx) && !takenBy(BY_EMAIL, email, user, ctx))
      causes.push(duplicate('spec.email', 'another user has this e-mail address as login'));
    return causes;
  };

  const othersAdminister = (user: User, { reader }: WriteContext, stays: (name: string) => boolean): boolean =>
    hasOther(reader.walk(users, BY_ADMINISTRATOR, []), (name) => name !== user.metadata.name && stays(name));

  return {
    prepareForCreate: (user, ctx) => {
      checkPromotion(gr, user, undefined, ctx);
      management.checkCreate(user, ctx);
      return withVerification(gr, complete(user), undefined, ctx);
    },
    prepareForUpdate: (user, old, ctx) => {
      checkPromotion(gr, user, old, ctx);
      management.checkChange(user, old, ctx);
      return withVerification(gr, complete(user), old, ctx);
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
      const system = isReserved(fold(login)) ? [RESERVED] : [];
      const isSimilar = (text: string, plain: string) => similarTo(text, plain, user, ctx);
      return [
        ...system,
        ...foreignLogin(user, old, ctx),
        ...lookAlikes(user, old, isSimilar),
        ...crossCauses(user, ctx),
      ];
    },
    // A user who is disabled loses all sessions, and must log in again after being enabled.
    // Whoever changes `disabled` decides from now on, and not a synchronization that disabled the user before.
    alsoDelete: (user, old, { reader }) => {
      const { name } = user.metadata;
      if (specOf(user).disabled === specOf(old).disabled) return [];
      const mark = reader.get(deactivations, '', name) === undefined ? [] : [{ resource: deactivations, name }];
      return specOf(user).disabled ? [...sessionsOf(reader, domain, name), ...mark] : mark;
    },
    validateDelete: (user, ctx) => {
      management.checkDelete(user, ctx);
      const stays = (name: string) => !ctx.isGoing(users, '', name);
      if (isAdministrator(user) && !othersAdminister(user, ctx, stays))
        throw lastAdministrator(gr, user.metadata.name, LAST, 'metadata.name');
    },
  };
}

/** Whether one of the administrators fits. Reads no further than to the first one, and parses none. */
function hasOther(administrators: Iterable<Entry>, fits: (name: string) => boolean): boolean {
  for (const entry of administrators) if (fits(nameOf(entry))) return true;
  return false;
}

/** Users from before this rule may look alike. */
const MOST_SIMILAR = 20;

const LAST = 'cannot remove last grafana admin';

const EMPTY: StatusCause = {
  reason: 'FieldValueRequired',
  message: 'Need to specify either username or email',
  field: 'spec.login',
};

const RESERVED: StatusCause = {
  reason: 'FieldValueInvalid',
  message: `a login must not begin with ${JSON.stringify(SYSTEM_PREFIX)}`,
  field: 'spec.login',
};

function duplicate(field: string, message: string): StatusCause {
  return { reason: 'FieldValueDuplicate', message, field };
}

function specOf({ spec }: User): UserSpec {
  if (spec === undefined) throw new Error('a user without a spec passed the schema');
  return spec;
}

/** Fills in an empty login with the e-mail address, and the reverse. */
function complete(user: User): User {
  const spec = specOf(user);
  const { login, email } = spec;
  if (login !== '' && email !== '') return user;
  return { ...user, spec: { ...spec, login: login || email, email: email || login } };
}

/**
 * Only server administrators may appoint and dismiss server administrators. The permission to write users does not
 * suffice.
 */
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
