import { resolve } from 'node:path';
import type { Settings } from '../../pkg/config/schema.js';
import { rotateToken } from '../../pkg/identity/certs/admin-token.js';
import { type Authority, finishRotation, nextGeneration, startRotation } from '../../pkg/identity/certs/authority.js';
import { filePkiStore, type PkiStore } from '../../pkg/identity/certs/store.js';
import type { Rotate } from './options.js';
import { finishSecretKey, rotateSecretKey, withStore } from './rotate-secret-key.js';

export interface RotateOptions extends Omit<Rotate, 'fromStdin'> {
  /** The new secret key; absent: a random one. */
  readonly key: string | undefined;
}

/**
 * Rotates a credential or key. Running servers use the new one within seconds. Returns the text to print. Throws errors
 * for the operator.
 */
export async function rotate({ settings, what, isFinish, key }: RotateOptions): Promise<string> {
  if (what === 'admin-token') return rotateAdminToken(settings);
  if (what === 'admin-certificate') return change(settings, async (old) => nextGeneration(old), CERTIFICATE_DONE);
  if (what === 'ca' && isFinish) return change(settings, async (old) => finishRotation(old), CA_FINISHED);
  if (what === 'ca') return change(settings, (old) => startRotation(old, new Date()), CA_STARTED);
  return isFinish ? finishSecretKey(settings) : rotateSecretKey(settings, key);
}

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
  else await withStore(settings, ({ authority }) => apply(authority));
  return done;
}

const where = ({ storage, paths }: Settings): string =>
  storage.backend === 'embedded' ? `The data folder ${resolve(paths.data)}` : 'The database';
