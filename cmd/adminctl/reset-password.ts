import { resolve } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import { randomPassword } from '../../pkg/identity/authn/admin-password.js';
import { LONGEST_PASSWORD, passwordProblem } from '../../pkg/identity/authn/password-policy.js';
import { isInUse } from '../../storage/lmdb/lock.js';
import { passwordRules } from '../apiserver/environment.js';
import { openBackend } from '../apiserver/storage.js';
import { resetByServer } from './by-server.js';
import { resetInStore } from './in-store.js';
import type { Reset, Whom } from './reset.js';
import { hasStore } from './store/place.js';

export interface ResetOptions extends Whom {
  readonly settings: Settings;
  /** Absent: a random password. */
  readonly password: string | undefined;
}

/**
 * Sets the password in the store, or through the server that has the store open. Returns the text to print. Throws
 * errors for the operator.
 */
export async function resetPassword({ settings, password, ...whom }: ResetOptions): Promise<string> {
  if (password !== undefined) await check(password, settings, whom);
  const next = password ?? randomPassword();
  const { login: found, isDisabled } = await reset(settings, whom, next);
  return [
    `The password of ${found} is changed, and their sessions are closed.`,
    ...(isDisabled ? [`${found} is disabled, and cannot log in until they are enabled.`] : []),
    ...(password === undefined ? [`The new password, shown this once: ${next}`] : []),
  ].join('\n');
}

/** Throws an error for the operator if the settings do not allow the password. */
async function check(password: string, { security }: Settings, { login }: Whom): Promise<void> {
  const problem = await passwordProblem(password, passwordRules(security), [login]);
  if (problem === undefined) return;
  if (problem === 'common')
    throw new Error('This password is a common one, or the name of the user. Choose another one.');
  throw new Error(`A password has ${security.min_password_length} to ${LONGEST_PASSWORD} characters.`);
}

async function reset(settings: Settings, whom: Whom, password: string): Promise<Reset> {
  const data = resolve(settings.paths.data);
  if (settings.storage.backend === 'embedded' && !hasStore(data)) {
    throw new Error(
      `There is no store in ${data}. Set --paths.data to the data folder of the server, or start the server first.`,
    );
  }
  try {
    return await resetInStore(await openBackend(settings), settings, whom, password);
  } catch (error) {
    if (!isInUse(error)) throw error;
    return resetByServer(data, whom, password);
  }
}
