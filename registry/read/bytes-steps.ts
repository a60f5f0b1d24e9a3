import type { Steps } from '../../pkg/system/yielding/steps.js';

/** The bytes of a text, which it is only if it is small. */
export function* bytesSteps(steps: Steps<string | Buffer>): Steps<Buffer> {
  const text = yield* steps;
  return typeof text === 'string' ? Buffer.from(text) : text;
}
