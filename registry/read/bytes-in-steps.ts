import { setImmediate } from 'node:timers/promises';
import type { Steps } from '../../pkg/structural/work.js';
import { inStretches } from '../../storage/stretch.js';

/** To put the parts of such a text together, and to copy it, takes some milliseconds each. */
const LONG = 2 ** 20;

/** The bytes of a text that is written in steps. */
export async function bytesInSteps(steps: Steps<string>): Promise<Buffer> {
  const text = await inStretches(steps);
  if (text.length >= LONG) await setImmediate();
  const bytes = Buffer.from(text);
  if (text.length >= LONG) await setImmediate();
  return bytes;
}
