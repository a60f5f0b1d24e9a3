import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import type { Contender } from './contender.js';
import { FOLDERS } from './fixtures.js';

/** Lists all folders from the memory of the server. Resolves with the milliseconds until the last byte. */
export async function listAll({ base, token, caFile }: Contender): Promise<number> {
  const ca = await readFile(caFile);
  const began = performance.now();
  const call = request(`${base}${FOLDERS}?resourceVersion=0`, { headers: { authorization: `Bearer ${token}` }, ca });
  call.end();
  const [answer] = await once(call, 'response');
  if (answer.statusCode !== 200) throw new Error(`The list after the restart was answered ${answer.statusCode}.`);
  answer.resume();
  await once(answer, 'end');
  return performance.now() - began;
}
