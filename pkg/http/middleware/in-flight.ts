import { timeout } from '../../status/errors.js';
import { isStream } from '../body-writer.js';
import { overloaded } from '../errors.js';
import type { Middleware, RequestState } from '../request.js';

/** What requests are counted as. A watch is served for as long as its client likes. */
export type RequestClass = 'read' | 'write' | 'watch';

/** How many requests of each class are being served, and how many may be. */
export class InFlight {
  readonly #limits: Readonly<Record<RequestClass, number>>;
  readonly #counts = { read: 0, write: 0, watch: 0 };

  constructor(limits: Readonly<Record<RequestClass, number>>) {
    this.#limits = limits;
  }

  count(requestClass: RequestClass): number {
    return this.#counts[requestClass];
  }

  /** Returns what ends the count, however often it is called. Throws 429 above the limit. */
  enter(requestClass: RequestClass): () => void {
    if (this.#counts[requestClass] >= this.#limits[requestClass]) throw overloaded();
    this.#counts[requestClass]++;
    let isIn = true;
    return () => {
      if (isIn) this.#counts[requestClass]--;
      isIn = false;
    };
  }
}

/** Limits how many requests are served at the same time. Only those of known callers who have sent everything count, so that nobody else keeps them waiting. */
export function inFlight(requests: InFlight): Middleware {
  return async ({ res, state }, next) => {
    if (state.isGivenUp) throw timeout('the request took too long');
    const requestClass = classOf(state);
    if (requestClass === undefined) return next();
    const leave = requests.enter(requestClass);
    // A request that was given up is served until its handler has answered.
    try {
      await next();
    } finally {
      // A stream is served until its last byte.
      if (isStream(state.response?.body) && !state.isClosed) res.on('close', leave);
      else leave();
    }
  };
}

/** Health and version are answered however busy the server is: a probe that failed then would only make it worse. */
function classOf({ mount, isMutating, asksForWatch }: RequestState): RequestClass | undefined {
  if (isMutating) return 'write';
  if (mount?.isPublic === true) return undefined;
  return mount?.isResourceApi === true && asksForWatch ? 'watch' : 'read';
}
