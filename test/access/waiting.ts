import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import type { Body } from '../harness/body.js';
import type { Server } from '../harness/server.js';
import { dashboard } from '../resource-api/dashboards.js';
import { ADMINISTRATOR, bindingSpec, DASHBOARDS, FOLDERS, folderBody } from './people.js';
import { writesOf } from './writes.js';

interface Status {
  readonly conditions?: readonly Readonly<Record<string, unknown>>[];
}

export function conditionOf(body: Body): Readonly<Record<string, unknown>> | undefined {
  return (body as unknown as { readonly status?: Status }).status?.conditions?.[0];
}

/** `True`, `False`, or `none` if the object never waited. */
export const ready = (body: Body): unknown => conditionOf(body)?.['status'] ?? 'none';

/** Writes objects that may have to wait for others, by default as an administrator. */
export function worldOf(server: () => Server) {
  const post = (path: string, body: unknown, user: UserInfo = ADMINISTRATOR): Promise<Answer> =>
    server().call('POST', path, { body, user });
  const made = async (answer: Promise<Answer>): Promise<Answer> => {
    const done = await answer;
    expect(done.status, done.text).to.equal(201);
    return done;
  };
  const waiting = async (answer: Promise<Answer>): Promise<void> => {
    const done = await made(answer);
    expect(String(done.headers['warning']), 'a warning').to.contain('has no effect until');
    expect(ready(done.json())).to.equal('False');
  };
  const read = async (path: string): Promise<Body> => (await server().call('GET', path)).json();
  const status = async (path: string, user: UserInfo, method = 'GET'): Promise<number> =>
    (await server().call(method, path, { user })).status;
  const putDashboard = (name: string, folder: string, user?: UserInfo) =>
    post(DASHBOARDS, dashboard(name, { folder }), user);
  const putFolder = (name: string, parent?: string, user?: UserInfo) => post(FOLDERS, folderBody(name, parent), user);
  const putBinding = (name: string, binding: Parameters<typeof bindingSpec>[0], user: UserInfo = ADMINISTRATOR) =>
    writesOf(server).create(user, 'RoleBinding', name, bindingSpec(binding));
  return { post, made, waiting, read, status, putDashboard, putFolder, putBinding, ...writesOf(server) };
}
