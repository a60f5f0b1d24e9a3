import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import type { Answer } from '../harness/answer.js';
import type { ResourceKind } from '../harness/resource.js';
import { type CallOptions, ENVIRONMENT, type Server } from '../harness/server.js';

export const SETTINGS: ResourceKind = { apiVersion: 'iam.svc.app/v1beta1', resource: 'ssosettings', scope: 'Cluster' };
export const PATH = '/apis/iam.svc.app/v1beta1/ssosettings';

type Settings = Readonly<Record<string, unknown>>;

/** An object as a client sends it. */
export function setting(name: string, settings: Settings, metadata: object = {}) {
  return { apiVersion: 'iam.svc.app/v1beta1', kind: 'SSOSetting', metadata: { name, ...metadata }, spec: { settings } };
}

/** The calls about sign-on settings, through both APIs. */
export function signOnCalls(server: () => Server) {
  const call = (method: string, path: string, options?: CallOptions): Promise<Answer> =>
    server().call(method, path, options);
  return {
    create: (name: string, settings: Settings) => call('POST', PATH, { body: setting(name, settings) }),
    replace: (name: string, settings: Settings) => call('PUT', `${PATH}/${name}`, { body: setting(name, settings) }),
    get: (name: string) => call('GET', `${PATH}/${name}`),
    remove: (name: string) => call('DELETE', `${PATH}/${name}`),
    /** The values that apply on this server, with secrets. */
    values: (name: string) => signOnProviders(server().api.registry.reader, ENVIRONMENT).get(name)?.values,
  };
}
