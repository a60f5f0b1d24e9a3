import { rename } from 'node:fs/promises';
import { resolve } from 'node:path';
import { rotateToken } from '../../pkg/certs/admin-token.js';
import { type Authority, finishRotation, nextGeneration, startRotation } from '../../pkg/certs/authority.js';
import { SECRET_MODE, writeAtomically } from '../../pkg/certs/files.js';
import { filePkiStore, type PkiStore } from '../../pkg/certs/store.js';
import type { Settings } from '../../pkg/config/schema.js';
import { sealer } from '../../pkg/crypto/seal.js';
import { type SharedPkiStore, sharedPkiStore } from '../apiserver/pki-store.js';
import { existingSecretKey, newSecretKey, secretKeyFile } from '../apiserver/secret-key.js';
import { openBackend } from '../apiserver/storage.js';
import type { Rotate } from './options.js';
import { withApi } from './with-api.js';

export interface RotateOptions extends Omit<Rotate, 'fromStdin'> {
  /** The new secret key; absent: a random one. */
  readonly key: string | undefined;
}

/** Rotates a credential or key. Running servers use the new one within seconds. Returns the text to print. Throws errors for the operator. */
export async function rotate({ settings, what, isFinish, key }: RotateOptions): Promise<string> {
  if (what === 'admin-token') return rotateAdminToken(settings);
  if (what === 'admin-certificate') return change(settings, async (old) => nextGeneration(old), CERTIFICATE_DONE);
  if (what === 'ca' && isFinish) return change(settings, async (old) => finishRotation(old), CA_FINISHED);
  if (what === 'ca') return change(settings, (old) => startRotation(old, new Date()), CA_STARTED);
  if (settings.storage.backend === 'embedded') throw new Error(NO_SECRET_KEY);
  return isFinish ? finishSecretKey(settings) : rotateSecretKey(settings, key);
}

const NO_SECRET_KEY =
  'The embedded store uses no secret key: the certificate authority is in the data folder, not in the store.';
const NOW = 'Running servers do this within seconds, and others when they start.';
const CERTIFICATE_DONE = `All client certificates are revoked. Each server writes a new one to the kubeconfig of its data folder. ${NOW}`;
const CA_STARTED = `There is a new certificate authority, and the one before is still trusted. Each server writes both to the kubeconfig of its data folder, with a new client certificate. ${NOW} Give clients the new kubeconfig or pki/ca.crt, and then run adminctl rotate ca --finish.`;
const CA_FINISHED = `The certificate authority before is not trusted any more. ${NOW}`;

async function rotateAdminToken({ paths }: Settings): Promise<string> {
  const path = resolve(paths.data, 'admin.token');
  await rotateToken(path);
  return `${path} has a new token. A running server accepts only this one within seconds.`;
}

async function change(settings: Settings, next: (old: Authority) => Promise<Authority>, done: string): Promise<string> {
  const apply = async (store: PkiStore): Promise<void> => {
    const old = await store.load();
    if (old === undefined)
      throw new Error(`${where(settings)} has no certificate authority yet. Start the server first.`);
    const wanted = await next(old);
    const stored = await store.replace(old, wanted);
    const isStored = stored.ca.certificate === wanted.ca.certificate && stored.generation === wanted.generation;
    if (!isStored)
      throw new Error('Another command or server changed the certificate authority at the same time. Try again.');
  };
  if (settings.storage.backend === 'embedded') await apply(filePkiStore(resolve(settings.paths.data, 'pki')));
  else await withDatabase(settings, apply);
  return done;
}

const where = ({ storage, paths }: Settings): string =>
  storage.backend === 'embedded' ? `The data folder ${resolve(paths.data)}` : 'The database';

/** Servers with either key can read the database until the rotation is finished. */
async function rotateSecretKey(settings: Settings, key: string | undefined): Promise<string> {
  const next = key ?? newSecretKey();
  const isInFile = settings.security.secret_key === undefined;
  const file = resolve(secretKeyFile(settings));
  // Written first, so that the new key is not lost if the command is interrupted.
  if (isInFile) await checked(settings).then(() => writeAtomically(`${file}.new`, next, SECRET_MODE));
  await withDatabase(settings, (store) => store.sealAgain(sealer(next)));
  if (isInFile) await rename(`${file}.new`, file);
  return isInFile
    ? `${file} has the new key. Copy it to the other servers of the database, and then run adminctl rotate secret-key --finish. Servers need no restart.`
    : `${key === undefined ? `The new key, shown this once: ${next}\n` : ''}Set security.secret_key to the new key on all servers and restart them one by one. Then run adminctl rotate secret-key --finish with the new key.`;
}

async function finishSecretKey(settings: Settings): Promise<string> {
  await withDatabase(settings, (store) => store.sealOnce());
  return 'Nothing in the database is encrypted under the secret key before.';
}

async function checked(settings: Settings): Promise<string> {
  const key = await existingSecretKey(settings);
  if (key !== undefined) return key;
  throw new Error(
    `There is no ${resolve(secretKeyFile(settings))}. Set --paths.data to the data folder of a server, or set security.secret_key.`,
  );
}

async function withDatabase<T>(settings: Settings, work: (store: SharedPkiStore) => Promise<T>): Promise<T> {
  const secret = async () => sealer(await checked(settings));
  const backend = await openBackend(settings);
  return withApi(backend, settings, ({ registry }) => work(sharedPkiStore(registry, secret)));
}
