import { setImmediate } from 'node:timers/promises';
import { decodeAhead, mayBeLarge } from '../../json/decode.js';
import type { Steps } from '../../structural/work.js';
import type { Done } from '../done.js';
import type { ApiRequest } from '../handler.js';
import type { Middleware } from '../request.js';

/** Decodes a large body in JSON in steps, between which other requests get their turns. Handlers then only take what is there. */
export const decodeLargeBody: Middleware = ({ state }, next): Done => {
  // A body with many objects is divided, and each object is decoded by itself.
  const steps = state.mount?.bulkBytes === undefined ? decodeInSteps(state) : undefined;
  return steps === undefined ? next() : steps.then(next);
};

/** Undefined if the body is small. */
export function decodeInSteps({ body, limits }: Pick<ApiRequest, 'body' | 'limits'>): Promise<void> | undefined {
  return mayBeLarge(body) ? taken(decodeAhead(body, limits)) : undefined;
}

async function taken(steps: Steps<void>): Promise<void> {
  for (const _ of steps) await setImmediate();
}
