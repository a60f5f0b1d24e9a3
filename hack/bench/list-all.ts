import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Contender } from './contender.js';
import { FOLDERS } from './fixtures.js';

/** Between two tries of a server that has not loaded its objects yet, in milliseconds. */
const PAUSE = 20;

/**
 * Lists all folders from the memory of the server, as soon as it has them there: until then, the peer answers 429.
 * Resolves with the milliseconds until the last byte.
 */
export async function listAll(server: Contender): Promise<number> {
  const ca = await readFile(server.caFile);
  const began = performance.now();
  for (;;) {
    const status = await list(server, ca);
    if (status === 200) return performance.now() - began;
    if (status !== 429) throw new Error(`The list after the restart was answered ${status}.`);
    await sleep(PAUSE);
  }
}

async function list({ base, token, collection = FOLDERS }: Contender, ca: Buffer): Promise<number> {
  const call = request(`${base}${collection}?resourceVersion=0`, { headers: { authorization: `Bearer ${token}` }, ca });
  call.end();
  const [answer] = await once(call, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}
