import { setImmediate } from 'node:timers/promises';
import { decodeAhead, mayBeLarge } from '../../json/decode.js';
import type { Steps } from '../../structural/work.js';
import type { Done } from '../done.js';
import { flowOf } from '../flow.js';
import type { ApiRequest } from '../handler.js';
import type { Context, Middleware } from '../request.js';
import { type InFlight, refuse } from './in-flight.js';

/** A body of so many bytes, whatever its type, waits until few others like it are served, because its values take more memory than its bytes. */
const LARGE = 2 ** 20;

/** Decodes a large body in JSON in steps, between which other requests get their turns. Handlers then only take what is there. */
export function decodeLargeBody(requests: InFlight): Middleware {
  return (ctx, next) => {
    if (ctx.state.body.byteLength < LARGE) return decodeBefore(ctx, next);
    return amongFew(requests, ctx.state, async () => decodeBefore(ctx, next));
  };
}

async function amongFew(requests: InFlight, state: Context['state'], serve: () => Promise<void>): Promise<void> {
  const flow = flowOf(state);
  if (!requests.start('large', flow)) await requests.wait('large', flow, state.cancellation).catch(refuse);
  try {
    await serve();
  } finally {
    requests.leave('large', flow);
  }
}

function decodeBefore({ state }: Context, next: () => Done): Done {
  // A body with many objects is divided, and each object is decoded by itself.
  const steps = state.mount?.bulkBytes === undefined ? decodeInSteps(state) : undefined;
  return steps === undefined ? next() : steps.then(next);
}

/** Undefined if the body is small. */
export function decodeInSteps({ body, limits }: Pick<ApiRequest, 'body' | 'limits'>): Promise<void> | undefined {
  return mayBeLarge(body) ? taken(decodeAhead(body, limits)) : undefined;
}

async function taken(steps: Steps<void>): Promise<void> {
  for (const _ of steps) await setImmediate();
}
