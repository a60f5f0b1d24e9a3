import { type Answer, type CallOptions, call } from './api.js';
import { objectPath, ownResource } from './discovery.js';
import type { KubeObject } from './object.js';
import { numberOf, organizations } from './session.js';

const asked = new Map<string, Promise<number | undefined>>();

/**
 * The number of the organization of a namespace, by which the legacy API names it. Without a number, that API takes the
 * active organization of the caller. Rejects if the server shows no such organization.
 */
export async function numberIn(namespace: string): Promise<number | undefined> {
  const known = organizations.peek().find(({ name }) => name === namespace)?.id;
  if (known !== undefined) return known;
  const answer = asked.get(namespace) ?? ask(namespace);
  asked.set(namespace, answer);
  answer.catch(() => asked.delete(namespace));
  return answer;
}

async function ask(namespace: string): Promise<number | undefined> {
  const resource = ownResource('iam', 'organizations');
  if (resource === undefined) return undefined;
  const { body } = await call<KubeObject>('GET', objectPath(resource, '', namespace));
  return numberOf(body.metadata.labels);
}

/** Sends a request to the legacy API, in the organization of a namespace. */
export async function callIn<Body>(
  namespace: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<Answer<Body>> {
  const headers = { ...options.headers, 'x-grafana-org-id': String((await numberIn(namespace)) ?? '') };
  return call<Body>(method, path, { ...options, headers });
}

/** GET of the legacy API, in the organization of a namespace. */
export async function getIn<Body>(
  namespace: string,
  path: string,
  query: CallOptions['query'] = {},
  signal?: AbortSignal,
): Promise<Body> {
  return (await callIn<Body>(namespace, 'GET', path, { query, ...(signal && { signal }) })).body;
}
