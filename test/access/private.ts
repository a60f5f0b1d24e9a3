import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import type { Server } from '../harness/server.js';
import { DASHBOARDS, FOLDERS } from './people.js';

const MERGE = { 'content-type': 'application/merge-patch+json' };

type Annotations = Readonly<Record<string, string | null>>;

/** Creates an object with annotations, and expects 201. */
export async function make(
  server: Server,
  path: string,
  kind: string,
  name: string,
  annotations: Annotations,
  spec: object,
) {
  const apiVersion = path.slice('/apis/'.length).split('/').slice(0, 2).join('/');
  const body = { apiVersion, kind, metadata: { name, annotations }, spec };
  const answer = await server.call('POST', path, { body });
  expect(answer.status, answer.text).to.equal(201);
  return answer.json();
}

export const folder = (server: Server, name: string, annotations: Annotations = {}, title = name) =>
  make(server, FOLDERS, 'Folder', name, annotations, { title });
export const dashboard = (server: Server, name: string, annotations: Annotations = {}, title = name) =>
  make(server, DASHBOARDS, 'Dashboard', name, annotations, { title, tags: [title] });

export function annotate(server: Server, path: string, annotations: Annotations, user?: UserInfo): Promise<Answer> {
  return server.call('PATCH', path, { body: { metadata: { annotations } }, headers: MERGE, ...(user && { user }) });
}

export const status = async (answer: Promise<Answer>): Promise<number> => (await answer).status;
