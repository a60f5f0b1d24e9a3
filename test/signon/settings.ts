import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import type { Answer } from '../harness/answer.js';
import { accepted, type ResourceKind } from '../harness/resource.js';
import { type CallOptions, ENVIRONMENT, type Server } from '../harness/server.js';

export const SETTINGS: ResourceKind = { apiVersion: 'iam.svc.app/v1beta1', resource: 'ssosettings', scope: 'Cluster' };
export const LEGACY = '/api/v1/sso-settings';
export const PATH = '/apis/iam.svc.app/v1beta1/ssosettings';

type Settings = Readonly<Record<string, unknown>>;

export interface Entry {
  readonly id: string;
  readonly provider: string;
  readonly source: string;
  readonly settings: Settings;
  readonly problems?: readonly string[];
}

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
    put: (name: string, settings: Settings, options: CallOptions = {}) =>
      call('PUT', `${LEGACY}/${name}`, { ...options, body: { settings } }),
    end: (name: string) => call('DELETE', `${LEGACY}/${name}`),
    /** The entry of a provider in the legacy API. */
    read: async (name: string) => JSON.parse(accepted(await call('GET', `${LEGACY}/${name}`), 200).text) as Entry,
    list: async () => JSON.parse(accepted(await call('GET', LEGACY), 200).text) as readonly Entry[],
    /** The values that the server uses, with secrets. */
    values: (name: string) => signOnProviders(server().api.registry.reader, ENVIRONMENT).get(name)?.values,
  };
}
