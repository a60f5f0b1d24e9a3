import { setImmediate } from 'node:timers/promises';
import { decodeAhead, mayBeLarge } from '../../json/decode.js';
import type { Done } from '../done.js';
import type { Middleware } from '../request.js';

/** Decodes a large body in JSON in steps, between which other requests get their turns. Handlers then only take what is there. */
export const decodeLargeBody: Middleware = ({ state }, next): Done => {
  return mayBeLarge(state.body) ? decoded(state.body).then(next) : next();
};

async function decoded(body: Uint8Array): Promise<void> {
  for (const _ of decodeAhead(body)) await setImmediate();
}
