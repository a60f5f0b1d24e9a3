import { expect } from 'chai';
import type { Answer } from '../e2e/client.js';
import type { TestServer } from '../e2e/harness.js';

const APIS = '/apis/{group}/v1beta1/namespaces/default';
export const FOLDERS = `${APIS.replace('{group}', 'folder.svc.app')}/folders`;
export const DASHBOARDS = `${APIS.replace('{group}', 'dashboard.svc.app')}/dashboards`;
export const PASSWORD = 'four-unlikely-words-7';

export interface Writer {
  /** Sends a request as the administrator. It must succeed. */
  send(method: string, path: string, body?: unknown, type?: string): Promise<Answer>;
  /** Creates an object of the kind at this path. */
  create(
    path: string,
    kind: string,
    name: string,
    spec: object,
    annotations?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  folder(name: string, title: string, annotations?: Readonly<Record<string, string>>): Promise<Answer>;
  dashboard(name: string, title: string, parent?: string): Promise<Answer>;
  rename(path: string, title: string): Promise<Answer>;
  remove(path: string): Promise<Answer>;
  /** Adds a user with the common password, and a role in the first organization. */
  user(login: string, role: string, name?: string): Promise<{ readonly id: number; readonly uid: string }>;
}

/** The annotations of an object in a folder, or at the root. */
export function within(folder: string | undefined): Readonly<Record<string, string>> {
  return folder === undefined ? {} : { 'svc.app/folder': folder };
}

/** Writes by the API, as somebody else than the person in front of the console. */
export function writerOn(server: () => TestServer): Writer {
  const send: Writer['send'] = async (method, path, body, type = 'application/json') => {
    const wish = body === undefined ? {} : { body, headers: { 'content-type': type } };
    const answer = await server().client.request(method, path, wish);
    expect(answer.status, `${method} ${path}: ${answer.text}`).to.be.within(200, 299);
    return answer;
  };
  const create: Writer['create'] = (path, kind, name, spec, annotations = {}) => {
    const apiVersion = path.split('/').slice(2, 4).join('/');
    return send('POST', path, { apiVersion, kind, metadata: { name, annotations }, spec });
  };
  return {
    send,
    create,
    folder: (name, title, annotations) => create(FOLDERS, 'Folder', name, { title }, annotations),
    dashboard: (name, title, parent) => create(DASHBOARDS, 'Dashboard', name, { title }, within(parent)),
    rename: (path, title) => send('PATCH', path, { spec: { title } }, 'application/merge-patch+json'),
    remove: (path) => send('DELETE', path),
    user: async (login, role, name = login) => {
      const user = { login, name, email: `${login}@example.com`, password: PASSWORD };
      const made = (await send('POST', '/api/admin/users', user)).json<{ id: number; uid: string }>();
      await send('PATCH', `/api/orgs/1/users/${made.id}`, { role });
      return made;
    },
  };
}
