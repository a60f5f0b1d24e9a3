import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Server } from '../harness/server.js';
import { iam } from '../identity/iam.js';
import { fresh } from '../legacy-api/legacy.js';
import { peopleOf } from '../legacy-api/people.js';

export const USER = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';
export const ALL_ACTIONS = ['scim.users:read', 'scim.users:write', 'scim.groups:read', 'scim.groups:write'];

// biome-ignore lint/suspicious/noExplicitAny: tests read answers of any form.
export type Json = any;

export interface ScimAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Json;
}

export interface ScimOptions {
  readonly user?: UserInfo | null;
  readonly namespace?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Short calls of SCIM. */
export interface Scim {
  call(method: string, path: string, body?: unknown, options?: ScimOptions): Promise<ScimAnswer>;
  /** Throws unless the answer has the status. Returns its body. */
  ask(status: number, method: string, path: string, body?: unknown, options?: ScimOptions): Promise<Json>;
  /** Expects an error with this status and scimType. */
  refused(
    status: number,
    scimType: string | undefined,
    method: string,
    path: string,
    body?: unknown,
    options?: ScimOptions,
  ): Promise<Json>;
  makeUser(more?: object, options?: ScimOptions): Promise<Json>;
  makeGroup(more?: object, options?: ScimOptions): Promise<Json>;
  /** Changes by PATCH. */
  patch(path: string, ...operations: readonly object[]): Promise<ScimAnswer>;
  /** A service account with these actions. */
  client(actions?: readonly string[], namespace?: string): Promise<UserInfo>;
}

export function scimOf(server: () => Server): Scim {
  const { made } = iam(server);
  const { robot } = peopleOf(server);
  const call: Scim['call'] = async (method, path, body, { namespace = 'default', headers = {}, user } = {}) => {
    const answer = await server().call(method, `/apis/scim.svc.app/v0alpha1/namespaces/${namespace}${path}`, {
      ...(body !== undefined && { body }),
      ...(user !== undefined && { user }),
      headers: { ...(body !== undefined && { 'content-type': 'application/scim+json' }), ...headers },
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: answer.text === '' ? undefined : JSON.parse(answer.text),
    } as ScimAnswer;
  };
  const ask: Scim['ask'] = async (status, method, path, body, options) => {
    const answer = await call(method, path, body, options);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).to.equal(status);
    return answer.body;
  };
  return {
    call,
    ask,
    refused: async (status, scimType, method, path, body, options) => {
      const answer = await call(method, path, body, options);
      const { schemas, status: code, scimType: type, detail } = answer.body ?? {};
      expect({ status: answer.status, schemas, code, type }, detail).to.deep.equal({
        status,
        schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
        code: String(status),
        type: scimType,
      });
      expect(answer.headers['content-type']).to.match(/^application\/scim\+json/);
      return answer.body;
    },
    makeUser: (more = {}, options) => {
      const userName = `${fresh('ada')}@example.com`;
      return ask(201, 'POST', '/Users', { schemas: [USER], userName, ...more }, options);
    },
    makeGroup: (more = {}, options) =>
      ask(201, 'POST', '/Groups', { schemas: [GROUP], displayName: fresh('Group'), ...more }, options),
    patch: (path, ...operations) => call('PATCH', path, { schemas: [PATCH], Operations: operations }),
    client: async (actions = ALL_ACTIONS, namespace = 'default') => {
      if (namespace !== 'default') throw new Error('accounts are in the first organization');
      const account = await robot('None');
      const name = fresh('scim');
      await made('Role', name, { permissions: actions.map((action) => ({ action })) });
      const subject = { kind: 'ServiceAccount', name: account.uid };
      await made('RoleBinding', name, { subject, roleRef: { kind: 'Role', name } });
      return account;
    },
  };
}
