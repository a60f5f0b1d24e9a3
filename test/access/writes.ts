import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Answer } from '../harness/answer.js';
import type { Server } from '../harness/server.js';
import { addPerson, addRole, bind, HERE, person } from './people.js';

const IAM = 'iam.svc.app/v1beta1';
const MERGE = { 'content-type': 'application/merge-patch+json' };

/** Writes through both APIs, with the outcomes that tests expect. */
export function writesOf(server: () => Server) {
  const create = (user: UserInfo, kind: string, name: string, spec: unknown): Promise<Answer> => {
    const body = { apiVersion: IAM, kind, metadata: { name }, spec };
    return server().call('POST', `${HERE}/${kind.toLowerCase()}s`, { user, body });
  };
  const patch = (user: UserInfo, kind: string, name: string, spec: unknown): Promise<Answer> =>
    server().call('PATCH', `${HERE}/${kind.toLowerCase()}s/${name}`, { user, body: { spec }, headers: MERGE });
  const inLegacy = (user: UserInfo, method: string, path: string, body?: unknown): Promise<Answer> =>
    server().call(method, `/api${path}`, {
      user: { ...user, extra: { 'svc.app/organization': ['default'] } },
      ...(body === undefined ? {} : { body }),
    });
  const idOf = async (path: string): Promise<string> => {
    const { json } = await server().call('GET', path);
    return json().metadata.labels?.['svc.app/deprecatedInternalID'] ?? '';
  };
  const userId = async (name: string): Promise<number> => Number(await idOf(`/apis/${IAM}/users/${name}`));

  /** Expects that the write is refused and that nothing changed. */
  const refused = async (tried: () => Promise<Answer>, code = 403): Promise<Answer> => {
    const before = await server().end();
    const answer = await tried();
    expect(answer.status, answer.text).to.equal(code);
    expect(await server().end(), 'nothing was written').to.equal(before);
    return answer;
  };
  const allowed = async (tried: Promise<Answer>): Promise<void> => {
    const { status, text } = await tried;
    expect(status, text).to.be.oneOf([200, 201]);
  };

  /** An Editor who also has these actions on all objects of their kinds. */
  const editorWith = async (uid: string, ...actions: readonly string[]): Promise<UserInfo> => {
    await addPerson(server(), uid, 'Editor');
    const scopeOf = (action: string): string => `${action.replace(/^org\./, '').split(/[.:]/)[0]}:*`;
    await addRole(
      server(),
      uid,
      actions.map((action) => ({ action, scope: scopeOf(action) })),
    );
    await bind(server(), uid, { subject: ['User', uid], role: ['Role', uid] });
    return person(uid);
  };
  return { create, patch, inLegacy, idOf, userId, refused, allowed, editorWith };
}
