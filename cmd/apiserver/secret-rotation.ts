import { rename } from 'node:fs/promises';
import type { Settings } from '../../pkg/config/schema.js';
import { readIfExists } from '../../pkg/identity/certs/files.js';
import { sealer } from '../../pkg/identity/crypto/seal.js';
import { newSecretKeyFile, secretKeyFile } from './secret-key.js';
import type { SecretStore } from './secret-store.js';

/** Milliseconds between two looks for a new key. */
const LOOK_EVERY = 250;
/** Milliseconds until the next attempt after one that failed. */
const RETRY = 60_000;

export interface SecretRotation {
  readonly settings: Settings;
  readonly secrets: SecretStore;
  readonly onError: (error: unknown) => void;
}

/**
 * On the embedded store, ends the use of the previous secret key, and then takes the new secret key that `adminctl
 * rotate secret-key` leaves in the data folder. Only the server can do it, because it has the store open. Returns a
 * function that stops it.
 */
export function startSecretRotation({ settings, secrets, onError }: SecretRotation): () => Promise<void> {
  let notBefore = 0;
  let busy: Promise<void> | undefined = secrets
    .sealOnce()
    .catch(onError)
    .finally(() => {
      busy = undefined;
    });
  const timer = setInterval(() => {
    if (busy !== undefined || Date.now() < notBefore) return;
    busy = takeNewKey(settings, secrets)
      .catch((error: unknown) => {
        notBefore = Date.now() + RETRY;
        onError(error);
      })
      .finally(() => {
        busy = undefined;
      });
  }, LOOK_EVERY).unref();
  return async () => {
    clearInterval(timer);
    await busy;
  };
}

/** Before the file is renamed, both keys open the secrets, so that they stay readable if this is interrupted. */
async function takeNewKey(settings: Settings, secrets: SecretStore): Promise<void> {
  if (settings.security.secret_key !== undefined) return;
  const path = newSecretKeyFile(settings);
  const key = (await readIfExists(path))?.trim();
  if (key === undefined) return;
  await secrets.sealAgain(sealer(key));
  await rename(path, secretKeyFile(settings));
  await secrets.sealOnce();
}
