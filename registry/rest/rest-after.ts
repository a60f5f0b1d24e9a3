import { setImmediate } from 'node:timers/promises';

/** Each step of the work on a body of this many bytes may take some milliseconds. A short one may have many values. */
const LARGE = 64 * 1024;

/** Await this between two steps of the work on a body, so that other requests get their turns after a large one. */
export async function restAfter(body: Uint8Array): Promise<void> {
  if (body.byteLength >= LARGE) await setImmediate();
}
