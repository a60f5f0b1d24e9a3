import { expect } from 'chai';
import { impersonation } from '../../apis/authorization/impersonation.js';
import { type Ask, ask1, ask2, connect2, startServer } from '../../pkg/http/testing/harness.js';
import { ADMIN, ENVIRONMENT } from '../harness/server.js';
import { oneStore } from '../harness/stores.js';
import { addPeople, FOLDERS } from './people.js';

type Headers = NonNullable<Ask['headers']>;
interface UserInfo {
  readonly username: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

const WHOAMI = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const PROTOCOLS = ['HTTP/1.1', 'HTTP/1.1 over TLS', 'HTTP/2'];

oneStore('impersonation by header lines', (server) => {
  before(() => addPeople(server()));

  for (const protocol of PROTOCOLS) {
    describe(`over ${protocol}`, () => {
      /**
       * Sends a request as the administrator through a real socket, so that each header line of the client stays one
       * value.
       */
      const ask = async (path: string, question: Ask) => {
        const listener = await startServer(server().api.handler, {
          authenticate: () => ADMIN,
          impersonation: impersonation(server().api.registry, ENVIRONMENT.domain),
          limits: { bodyBytes: 10_000 },
        });
        try {
          if (protocol !== 'HTTP/2')
            return await ask1(listener, path, question, protocol === 'HTTP/1.1' ? 'plain' : {});
          const session = await connect2(listener);
          return await ask2(session, path, question).finally(() => session.close());
        } finally {
          await listener.close();
        }
      };
      const whoami = async (headers: Headers): Promise<UserInfo> => {
        const body = JSON.stringify({ apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' });
        const json = { 'content-type': 'application/json' };
        const answer = await ask(WHOAMI, { method: 'POST', headers: { ...json, ...headers }, body });
        expect(answer.status, answer.body.toString()).to.equal(201);
        return JSON.parse(answer.body.toString()).status.userInfo;
      };

      // Promise: contract 7
      it('reads each line as one group, including its commas', async () => {
        const groups = ['CN=x,OU=y', 'second', 'spaces, too'];
        const user = await whoami({ 'Impersonate-User': 'ann', 'Impersonate-Group': groups });
        expect(user.groups).to.deep.equal([...groups, 'system:authenticated']);
      });

      it('grants nothing for a group name inside of another group name', async () => {
        const headers = { 'Impersonate-User': 'ann', 'Impersonate-Group': 'evil,system:masters' };
        expect((await whoami(headers)).groups).to.deep.equal(['evil,system:masters', 'system:authenticated']);
        expect((await ask(FOLDERS, { headers })).status).to.equal(403);
        const lines = { ...headers, 'Impersonate-Group': ['evil', 'system:masters'] };
        expect((await ask(FOLDERS, { headers: lines })).status).to.equal(200);
      });

      it('reads each line as one value of an extra field', async () => {
        const user = await whoami({
          'Impersonate-User': 'ann',
          'Impersonate-Extra-Scopes': ['view,edit', 'delete'],
          'Impersonate-Extra-example.org%2fteam': 'a,b',
        });
        expect(user.extra).to.deep.equal({ scopes: ['view,edit', 'delete'], 'example.org/team': ['a,b'] });
      });
    });
  }
});
