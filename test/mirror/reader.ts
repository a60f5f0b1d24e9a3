import { setImmediate as turn } from 'node:timers/promises';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Server } from '../harness/server.js';
import type { World } from './world.js';

/** Somebody with the role Viewer in the other organization, who looks all the time. */
export interface Reader {
  /** What they have seen since the last call, each text once. */
  seen(): ReadonlySet<string>;
  /** What they see in a look that begins after this call. */
  look(): Promise<ReadonlySet<string>>;
  stop(): Promise<void>;
}

/** Creates a member of the first organization of the other server. */
export function memberThere({ there }: World, login: string, role: 'Viewer' | 'Editor'): Promise<UserInfo> {
  return memberIn(there, login, role);
}

/** Creates a member of the first organization of a server. */
export async function memberIn(server: Server, login: string, role: 'Viewer' | 'Editor'): Promise<UserInfo> {
  const iam = '/apis/iam.svc.app/v1beta1';
  const user = { apiVersion: 'iam.svc.app/v1beta1', kind: 'User', metadata: { name: login } };
  await server.call('POST', `${iam}/users`, { body: { ...user, spec: { login, email: `${login}@example.com` } } });
  const binding = { apiVersion: 'iam.svc.app/v1beta1', kind: 'OrganizationBinding', metadata: { name: login } };
  const body = { ...binding, spec: { userRef: { name: login }, role } };
  await server.call('POST', `${iam}/namespaces/default/organizationbindings`, { body });
  return { name: login, uid: login, groups: [], extra: {} };
}

/** Reads everything that the user can find there, again and again. */
export function readerThere({ there }: Pick<World, 'there'>, user: UserInfo): Reader {
  let seen = new Set<string>();
  let isStopped = false;
  let recent = new Set<string>();
  const add = (text: string): void => {
    seen.add(text);
    recent.add(text);
  };
  let [begun, ended] = [0, 0];
  const look = async (): Promise<void> => {
    begun++;
    const found = (await there.call('GET', '/api/search?limit=1000', { user })).json() as unknown;
    for (const { uid, title, type } of found as readonly { uid: string; title: string; type: string }[]) {
      add(`${uid}: ${title}`);
      if (type !== 'dash-db') continue;
      const answer = await there.call('GET', `/api/dashboards/uid/${uid}`, { user });
      if (answer.status === 200) add(`${uid}: ${JSON.stringify((answer.json() as { dashboard?: unknown }).dashboard)}`);
    }
    ended++;
  };
  const until = async (look: number): Promise<void> => {
    while (ended < look && !isStopped) await new Promise((resolve) => setTimeout(resolve, 5));
  };
  const running = (async () => {
    for (; !isStopped; await turn()) await look();
  })();
  return {
    seen: () => {
      const all = seen;
      seen = new Set();
      return all;
    },
    look: async () => {
      await until(begun);
      recent = new Set();
      await until(begun + 1);
      return recent;
    },
    stop: async () => {
      isStopped = true;
      await running;
    },
  };
}

/** What a viewer there sees at a moment. */
export async function visible(reader: Reader): Promise<string> {
  return [...(await reader.look())].join('\n');
}
