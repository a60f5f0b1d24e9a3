import { rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../pkg/config/schema.js';
import { readIfExists, SECRET_MODE, writeAtomically } from '../../pkg/identity/certs/files.js';
import { sealer } from '../../pkg/identity/crypto/seal.js';
import { isInUse } from '../../storage/lmdb/lock.js';
import { type SharedPkiStore, sharedPkiStore } from '../apiserver/pki-store.js';
import { existingSecretKey, newSecretKey, newSecretKeyFile, secretKeyFile } from '../apiserver/secret-key.js';
import { type SecretStore, secretStore } from '../apiserver/secret-store.js';
import { openBackend } from '../apiserver/storage.js';
import { hasStore } from './store/place.js';
import { withApi } from './with-api.js';

/** Something that is encrypted under the secret key. */
export interface Encrypted {
  readonly authority: SharedPkiStore;
  readonly secrets: SecretStore;
}

/** Works on what is encrypted in the store. */
export async function withStore<T>(settings: Settings, work: (encrypted: Encrypted) => Promise<T>): Promise<T> {
  const secret = async () => sealer(await checked(settings));
  const backend = await openBackend(settings);
  return withApi(backend, settings, ({ registry }) =>
    work({ authority: sharedPkiStore(registry, secret), secrets: secretStore(registry, secret) }),
  );
}

/**
 * Encrypts what is in the store under a new secret key. Returns the text to print. `key` is the new one; absent: a
 * random one.
 */
export async function rotateSecretKey(settings: Settings, key: string | undefined): Promise<string> {
  const next = key ?? newSecretKey();
  await checked(settings);
  if (isShared(settings)) return rotateShared(settings, next, key);
  if (!hasStore(resolve(settings.paths.data))) throw new Error(noStore(settings));
  return rotateEmbedded(settings, next, key);
}

/** Drops the ciphertexts under the previous secret key. */
export async function finishSecretKey(settings: Settings): Promise<string> {
  if (!isShared(settings)) throw new Error(NOTHING_TO_FINISH);
  await withStore(settings, async ({ authority, secrets }) => {
    await secrets.sealOnce();
    await authority.sealOnce();
  });
  return 'Nothing in the database is encrypted under the secret key before.';
}

const NOTHING_TO_FINISH =
  'On the embedded store there is nothing to finish: the server ends the use of the secret key before by itself.';

/** Servers with either key can read the database until the rotation is finished. */
async function rotateShared(settings: Settings, next: string, key: string | undefined): Promise<string> {
  const file = resolve(secretKeyFile(settings));
  // Written first, so that the new key is not lost if the command is interrupted.
  if (isInFile(settings)) await writeNew(settings, next);
  await withStore(settings, async ({ authority, secrets }) => {
    await authority.sealAgain(sealer(next));
    await secrets.sealAgain(sealer(next));
  });
  if (isInFile(settings)) await takeNew(settings);
  return isInFile(settings)
    ? `${file} has the new key. Copy it to the other servers of the database, and then run adminctl rotate secret-key --finish. Servers need no restart.`
    : `${shown(next, key)}Set security.secret_key to the new key on all servers and restart them one by one. Then run adminctl rotate secret-key --finish with the new key.`;
}

/** A running server has the store open, so it takes the new key itself. */
async function rotateEmbedded(settings: Settings, next: string, key: string | undefined): Promise<string> {
  const file = resolve(secretKeyFile(settings));
  try {
    await withStore(settings, async ({ secrets }) => {
      // A server that was killed may have taken its new key without ending the use of the old one. If the key is not
      // the new one, the next step says so.
      await secrets.sealOnce().catch(() => undefined);
      if (isInFile(settings)) await writeNew(settings, next);
      await secrets.sealAgain(sealer(next));
      if (!isInFile(settings)) return;
      await takeNew(settings);
      await secrets.sealOnce();
    });
  } catch (error) {
    if (!isInUse(error)) throw error;
    await leaveToServer(settings, next);
  }
  return isInFile(settings)
    ? `${file} has the new key, and the secrets in the store are encrypted under it.`
    : `${shown(next, key)}Set security.secret_key to the new key, and start the server.`;
}

/** Milliseconds that a server has to take the new key. */
const PATIENCE = 10_000;

async function leaveToServer(settings: Settings, next: string): Promise<void> {
  if (!isInFile(settings)) throw new Error(STOP_FIRST);
  await writeNew(settings, next);
  for (const end = Date.now() + PATIENCE; Date.now() < end; await sleep(100)) {
    if ((await readIfExists(newSecretKeyFile(settings))) === undefined) return;
  }
  throw new Error(
    `The server that has the store open has not taken the new key in ${newSecretKeyFile(settings)} yet. Its log says why. It tries again until you remove the file.`,
  );
}

const STOP_FIRST =
  'A server has the store open, and reads security.secret_key only when it starts. Stop the server, run the command again, and start it with the new key.';

const isShared = ({ storage }: Settings): boolean => storage.backend !== 'embedded';
const isInFile = ({ security }: Settings): boolean => security.secret_key === undefined;
const writeNew = (settings: Settings, key: string): Promise<void> =>
  writeAtomically(newSecretKeyFile(settings), key, SECRET_MODE);
const takeNew = (settings: Settings): Promise<void> => rename(newSecretKeyFile(settings), secretKeyFile(settings));
const shown = (next: string, key: string | undefined): string =>
  key === undefined ? `The new key, shown this once: ${next}\n` : '';

const noStore = ({ paths }: Settings): string =>
  `There is no store in ${resolve(paths.data)}. Set --paths.data to the data folder of the server, or start the server first.`;

async function checked(settings: Settings): Promise<string> {
  const key = await existingSecretKey(settings);
  if (key !== undefined) return key;
  throw new Error(
    `There is no ${resolve(secretKeyFile(settings))}. Set --paths.data to the data folder of a server, or set security.secret_key.`,
  );
}
