import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { setPassword } from '../../apis/authentication/passwords.js';
import { type IdentityServices, identityServices } from '../../apis/authentication/services.js';
import { BY_EMAIL, BY_LOGIN, type UserSpec } from '../../apis/iam/user/schema.js';
import type { Settings } from '../../pkg/config/schema.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import { fold } from '../../pkg/kube/meta/fold.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import type { Backend } from '../../storage/backend.js';
import { checkWhom, noSuchUser, type Reset, type Whom } from './reset.js';
import { withApi } from './with-api.js';

/** Resets the password in the store, as a server would, and closes the store. */
export function resetInStore(backend: Backend, settings: Settings, whom: Whom, password: string): Promise<Reset> {
  const { login } = whom;
  return withApi(backend, settings, async ({ registry }) => {
    const services = identityServices(registry, settings.api.domain);
    const user = find(services, login);
    if (user === undefined) throw noSuchUser(login);
    checkWhom(whom, user.spec?.grafanaAdmin === true);
    await setPassword(services, new PasswordQueue(), user.metadata.name, password, { user: SYSTEM_USER });
    return { login: user.spec?.login ?? login, isDisabled: user.spec?.disabled === true };
  });
}

/** Finds disabled users too, because a new password may be needed before they are enabled again. */
function find({ reader, resource }: IdentityServices, login: string): KubeObject<UserSpec> | undefined {
  const users = resource('iam/users');
  return [BY_LOGIN, BY_EMAIL].flatMap((index) => reader.range<UserSpec>(users, index, [fold(login)], 1))[0];
}
