import { ApiError, type Cause, call } from '../../lib/api.js';
import { objectPath, pathOf, type Resource, resourceNamed } from '../../lib/discovery.js';
import type { KubeObject } from '../../lib/object.js';
import { replacing } from '../sets/merge-patch.js';
import { type Draft, specOf } from './draft.js';
import type { Mirror } from './mirrors.js';

interface Place {
  readonly resource: Resource;
  readonly namespace: string;
  /** Undefined for a new one. */
  readonly before?: Mirror | undefined;
}

const NO_NAME = { field: 'metadata.name', message: 'Give the mirror a name.' };
const NO_TOKEN = { field: 'spec.credential.token', message: 'Paste a token, or choose a Secret that has one.' };

/**
 * Saves a mirror, with a new Secret if a token was typed. The rest is tried first, and the Secret is deleted again if
 * the mirror is refused after all, so that no token is left behind.
 */
export async function save(place: Place, draft: Draft): Promise<void> {
  const isPasted = draft.credential === 'token';
  const missing = [
    ...(draft.name.trim() === '' ? [NO_NAME] : []),
    ...(isPasted && draft.token.trim() === '' ? [NO_TOKEN] : []),
  ];
  if (!isPasted && missing.length === 0) return send(place, draft);
  // What is not there yet is tried with a name that could be its.
  const trial = { ...draft, name: draft.name || 'new', ...(isPasted && { secret: draft.secret || 'new' }) };
  const causes = await send(place, trial, true).then(() => [], isPasted ? otherCauses : causesOf);
  if (causes.length + missing.length > 0) throw new ApiError(422, '', 'Invalid', [...missing, ...causes]);
  const secrets = secretsResource();
  const made = await call<KubeObject>('POST', pathOf(secrets, place.namespace), { body: secretOf(draft) });
  const secret = made.body.metadata.name;
  try {
    await send(place, { ...draft, secret });
  } catch (error) {
    await call('DELETE', objectPath(secrets, place.namespace, secret)).catch(() => undefined);
    throw error;
  }
}

export function secretsResource(): Resource {
  const found = resourceNamed('', 'secrets');
  if (found === undefined) throw new Error('This server has no Secrets.');
  return found;
}

function causesOf(error: unknown): readonly Cause[] {
  if (!(error instanceof ApiError) || error.code !== 422) throw error;
  return error.causes;
}

/** What is wrong beside the credential, which does not exist yet. */
const otherCauses = (error: unknown): readonly Cause[] =>
  causesOf(error).filter(({ field = '' }) => !field.startsWith('spec.credential'));

function secretOf({ name, token }: Draft): object {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { generateName: `${name}-` },
    stringData: { token: token.trim() },
  };
}

async function send({ resource, namespace, before }: Place, draft: Draft, isTrial = false): Promise<void> {
  const query = isTrial ? { dryRun: 'All' } : {};
  const spec = specOf(draft, before?.spec);
  if (before !== undefined) {
    // Only what was changed, so that what others have changed meanwhile stays.
    const body = { spec: changed(replacing(spec, before.spec), before.spec ?? {}) };
    const type = 'application/merge-patch+json';
    await call('PATCH', objectPath(resource, namespace, before.metadata.name), { query, body, type });
    return;
  }
  const about = { apiVersion: `${resource.group}/${resource.version}`, kind: resource.kind };
  const body = { ...about, metadata: { name: draft.name.trim() }, spec };
  await call('POST', pathOf(resource, namespace), { query, body });
}

function changed(patch: unknown, before: object): Record<string, unknown> {
  const old = before as Readonly<Record<string, unknown>>;
  const isNew = ([name, value]: readonly [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(old[name]);
  return Object.fromEntries(Object.entries(patch as object).filter(isNew));
}
