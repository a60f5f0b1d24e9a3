import type { Steps } from '../../pkg/structural/work.js';

/** To put the parts of such a text together, and to copy it, takes some milliseconds each. */
const LONG = 2 ** 20;

/** The bytes of a text, in steps. */
export function* bytesSteps(steps: Steps<string>): Steps<Buffer> {
  const text = yield* steps;
  if (text.length >= LONG) yield;
  const bytes = Buffer.from(text);
  if (text.length >= LONG) yield;
  return bytes;
}
