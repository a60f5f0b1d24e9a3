import { expect } from 'chai';
import type { ApisEnvironment, Switch } from '../../apis/environment.js';
import { expectStatus } from '../harness/resource.js';
import type { Server } from '../harness/server.js';
import { type Json, legacyOf } from '../legacy-api/legacy.js';

/** The kind and the routes that a switch turns on and off. */
export interface Switched {
  readonly feature: Exclude<Switch, 'nestedFolders'>;
  /** `<group>/<version>`. It has no other kinds. */
  readonly apiVersion: string;
  readonly kind: string;
  /** The plural. */
  readonly resource: string;
  /** Routes below `/api`, with the parameters filled in. */
  readonly routes: readonly (readonly [method: string, path: string])[];
  /** The member of the frontend settings that tells whether the feature is on. */
  readonly setting: string;
}

/** Starts the server again with the feature on or off, on the same data. */
export function turn(server: Server, feature: keyof ApisEnvironment['features'], isOn: boolean): Promise<void> {
  return server.restart({ features: { [feature]: isOn } });
}

/** Expects that the kind, its documents and its routes exist, or that nothing shows them. */
export async function expectSwitched(server: () => Server, switched: Switched, isOn: boolean): Promise<void> {
  await expectResource(server(), switched, isOn);
  await expectDocuments(server(), switched, isOn);
  await expectRoutes(server, switched, isOn);
}

async function expectResource(server: Server, { apiVersion, resource, kind }: Switched, isOn: boolean): Promise<void> {
  const collection = `/apis/${apiVersion}/namespaces/default/${resource}`;
  const body = { apiVersion, kind, metadata: { name: 'x' }, spec: {} };
  for (const [method, path] of [
    ['GET', collection],
    ['POST', collection],
    ['DELETE', collection],
    ['GET', `${collection}/x`],
    ['PUT', `${collection}/x`],
    ['DELETE', `${collection}/x`],
    ['GET', `/apis/${apiVersion}/${resource}`],
  ] as const) {
    const answer = await server.call(method, path, method === 'POST' || method === 'PUT' ? { body } : {});
    if (!isOn) expectStatus(answer, 404, 'NotFound', 'the server could not find the requested resource');
    else expect(answer.text, `${method} ${path}`).to.not.contain('could not find the requested resource');
  }
}

async function expectDocuments(server: Server, { apiVersion, resource, kind }: Switched, isOn: boolean): Promise<void> {
  const [group = ''] = apiVersion.split('/');
  const read = async (path: string, accept = 'application/json') =>
    (await server.call('GET', path, { headers: { accept } })).text;
  const aggregated = 'application/json;v=v2;g=apidiscovery.k8s.io;as=APIGroupDiscoveryList';
  const named: readonly (readonly [string, string])[] = [
    [await read('/apis'), `"${group}"`],
    [await read('/apis', aggregated), `"${resource}"`],
    [await read('/openapi/v3'), `apis/${apiVersion}`],
    [await read('/openapi/v2'), `"kind":"${kind}"`],
  ];
  for (const [text, name] of named) expect(text.includes(name), name).to.equal(isOn);
  for (const path of [`/apis/${group}`, `/apis/${apiVersion}`, `/openapi/v3/apis/${apiVersion}`])
    expect((await server.call('GET', path)).status, path).to.equal(isOn ? 200 : 404);
}

async function expectRoutes(server: () => Server, { routes, setting }: Switched, isOn: boolean): Promise<void> {
  const { call, ask } = legacyOf(server);
  for (const [method, path] of routes) {
    const { text } = await call(method, path, method === 'GET' || method === 'DELETE' ? {} : { body: {} });
    const isMissing = text === JSON.stringify({ message: 'Not found' });
    expect(isMissing, `${method} ${path}: ${text}`).to.equal(!isOn);
  }
  const settings = (await ask(200, 'GET', '/frontend/settings')) as Json;
  expect(settings[setting], setting).to.equal(isOn);
}
