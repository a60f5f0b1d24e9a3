import type { Answer } from '../harness/answer.js';
import { clientOf } from '../harness/client.js';
import type { WatchFrames } from '../harness/frames.js';
import type { Server } from '../harness/server.js';
import { ADMIN } from '../harness/server.js';
import { isDoneWithin } from './bounds.js';
import type { History } from './history.js';
import { ROBOT } from './objects.js';

export type Who = 'admin' | 'robot';

export interface Sent {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  readonly as?: Who;
}

export type DoorAnswer = Pick<Answer, 'status' | 'text'> & { readonly frames: WatchFrames };

/** Sends requests to a server. Rejects if there is no answer. */
export interface Door {
  send(sent: Sent): Promise<DoorAnswer>;
  close(): void;
}

/**
 * Milliseconds. A server answers within `limits.request_timeout`, which is 60 s. The rest is for servers that are
 * stopped meanwhile.
 */
const LONGEST = 90_000;

/** The answer, or undefined if the connection failed. If neither comes in time, it is a violation. */
export async function ask(
  history: History,
  doors: readonly Door[],
  server: number,
  sent: Sent,
): Promise<DoorAnswer | undefined> {
  const asking = (doors[server] as Door).send(sent).catch(() => undefined);
  if (await isDoneWithin(LONGEST, asking)) return asking;
  history.complaints.push(`server ${server} did not answer ${sent.method} ${sent.path} within ${LONGEST} ms`);
  return undefined;
}

const ROBOT_USER = {
  name: `system:serviceaccount:default:${ROBOT}`,
  uid: ROBOT,
  groups: ['system:serviceaccounts', 'system:authenticated'],
  extra: {},
};

/** The door of a server in this process, also by HTTP. */
export function doorOf(server: Server): Door {
  return {
    send: ({ method, path, body, type, as }) =>
      server.call(method, path, {
        ...(body === undefined ? {} : { body }),
        user: as === 'robot' ? ROBOT_USER : ADMIN,
        headers: type === undefined ? {} : { 'content-type': type },
      }),
    close: () => undefined,
  };
}

/** The door of a server process. `port` is called before each request, because a restart changes the port. */
export function doorTo(port: () => number, token: (who: Who) => string): Door {
  let known = -1;
  let client = clientOf(0);
  return {
    send: ({ method, path, body, type = 'application/json', as = 'admin' }) => {
      if (known !== port()) {
        client.close();
        known = port();
        client = clientOf(known);
      }
      const headers = { authorization: `Bearer ${token(as)}`, ...(body === undefined ? {} : { 'content-type': type }) };
      const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
      return client.send({ method, path, headers, body: bytes }, () => '');
    },
    close: () => client.close(),
  };
}
