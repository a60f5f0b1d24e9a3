import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../pkg/system/errors/message.js';
import { parseJson } from './json.js';
import { checkWhom, noSuchUser, type Reset, type Whom } from './reset.js';

/** The part of a kubeconfig that has the address and the certificate authority of the server. */
const Kubeconfig = z.object({
  clusters: z
    .array(z.object({ cluster: z.object({ server: z.string(), 'certificate-authority-data': z.string().optional() }) }))
    .min(1),
});
const User = z.object({
  id: z.number(),
  login: z.string(),
  isDisabled: z.boolean().default(false),
  isGrafanaAdmin: z.boolean(),
});

/** Where a server answers, and the credentials of its operator. */
export interface Server {
  readonly url: string;
  readonly ca: string | undefined;
  readonly token: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Resets the password through the server that has the data folder open, over HTTPS as its administrator. */
export async function resetByServer(data: string, whom: Whom, password: string): Promise<Reset> {
  const { login } = whom;
  const server = await serverOf(data);
  const answer = await ask(server, 'GET', `/api/users/lookup?loginOrEmail=${encodeURIComponent(login)}`);
  if (answer.status === 404) throw noSuchUser(login);
  const user = User.parse(JSON.parse(expectOk(answer)));
  checkWhom(whom, user.isGrafanaAdmin);
  expectOk(await ask(server, 'PUT', `/api/admin/users/${user.id}/password`, { password }));
  return user;
}

/** The server that has the data folder open. */
export async function serverOf(data: string): Promise<Server> {
  try {
    const [config, token] = await Promise.all(['kubeconfig', 'admin.token'].map((name) => textOf(resolve(data, name))));
    const { cluster } = Kubeconfig.parse(JSON.parse(config ?? '')).clusters[0] ?? { cluster: { server: '' } };
    const ca = cluster['certificate-authority-data'];
    return {
      url: cluster.server,
      ca: ca === undefined ? undefined : Buffer.from(ca, 'base64').toString('utf8'),
      token: (token ?? '').trim(),
    };
  } catch (cause) {
    const message = `A server has the store in ${data} open, but its kubeconfig or admin.token there cannot be read. Stop the server, and try again.`;
    throw new Error(message, { cause });
  }
}

/**
 * Does not follow links. Otherwise, the owner of the data folder could let root send any file as a token, to any
 * address.
 */
async function textOf(path: string): Promise<string> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

/** Longer than the server's own limit for a request. */
const TIMEOUT = 90_000;

/** Sends a request as the operator. Throws an error for the operator if the server cannot be reached. */
export function ask({ url, ca, token }: Server, method: string, path: string, body?: unknown): Promise<Answer> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return new Promise((resolveAnswer, reject) => {
    const unreachable = (cause: unknown): void => {
      const why = messageOf(cause);
      reject(
        new Error(
          `The server at ${url} has the store open, but cannot be reached: ${why}. Stop the server, and try again.`,
          {
            cause,
          },
        ),
      );
    };
    const request = (url.startsWith('https:') ? https : http).request(new URL(path, url), {
      method,
      headers,
      agent: false,
      timeout: TIMEOUT,
      ...(ca && { ca }),
    });
    request.on('error', unreachable);
    request.on('timeout', () => request.destroy(new Error('it does not respond')));
    request.on('response', async (response) => {
      const chunks: Buffer[] = [];
      try {
        for await (const chunk of response) chunks.push(chunk as Buffer);
        resolveAnswer({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      } catch (error) {
        unreachable(error);
      }
    });
    request.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const Failure = z.object({ message: z.string() });

/** The text of an answer. Throws an error for the operator if it is a refusal. */
export function expectOk({ status, text }: Answer): string {
  if (status === 200) return text;
  const told = Failure.safeParse(parseJson(text));
  throw new Error(`The server refused: ${status} ${told.success ? told.data.message : text.slice(0, 200)}`);
}
