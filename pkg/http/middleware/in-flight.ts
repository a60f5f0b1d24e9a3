import { timeout } from '../../kube/status/errors.js';
import { discard, isStream } from '../body-writer.js';
import { overloaded } from '../errors.js';
import { FlowControl, type FlowObserver, RejectedError } from '../flowcontrol/flow-control.js';
import type { Context, Done, Middleware } from '../pipeline.js';
import { flowOf, type RequestState } from '../request.js';

/**
 * The priority levels. A watch is served for as long as its client likes. A stream is the response of a large list.
 * `large` is a write with a large body.
 */
export const LEVELS = ['read', 'write', 'watch', 'exempt', 'stream', 'large'] as const;
export type Level = (typeof LEVELS)[number];

/** The requests that are being served, and those that wait. */
export type InFlight = FlowControl<Level>;

export interface InFlightLimits {
  readonly maxInFlight: number;
  readonly maxMutatingInFlight: number;
  readonly maxWatches: number;
  readonly maxQueued: number;
  /** Milliseconds. */
  readonly requestTimeout: number;
}

/** How many large responses one flow gets at a time. Each takes some time of each turn of the event loop. */
const STREAMS = 4;
/**
 * How many large bodies are decoded, checked and stored at a time, and how many of one flow. One of 16 MiB takes about
 * 100 MiB of memory then.
 */
const LARGE_BODIES = { seats: 4, seatsPerFlow: 2 };
/** The share of `limits.request_timeout` that a request may wait, as in Kubernetes. */
const WAIT = 1 / 4;

/** Reads and writes wait for a seat. A watch does not: its seat may be taken for hours. */
export function inFlightOf(limits: InFlightLimits, observer?: FlowObserver): InFlight {
  return new FlowControl({
    levels: {
      read: { seats: limits.maxInFlight, type: 'Queue' },
      write: { seats: limits.maxMutatingInFlight, type: 'Queue' },
      watch: { seats: limits.maxWatches, type: 'Reject' },
      stream: { seats: Number.POSITIVE_INFINITY, seatsPerFlow: STREAMS, type: 'Queue' },
      large: { ...LARGE_BODIES, type: 'Queue' },
      exempt: { seats: Number.POSITIVE_INFINITY, type: 'Exempt' },
    },
    maxQueued: limits.maxQueued,
    waitLimit: limits.requestTimeout * WAIT,
    ...(observer && { observer }),
  });
}

/**
 * Limits how many requests are served at the same time, and shares that between the callers. A request counts only
 * after all of it has arrived, so that a slow sender does not keep others waiting.
 */
export function inFlight(requests: InFlight): Middleware {
  return (ctx, next) => {
    const { state } = ctx;
    if (state.isGivenUp) throw timeout('the request took too long');
    const [level, flow] = [levelOf(state), flowOf(state)];
    if (requests.start(level, flow)) return serve(ctx, next, requests, level, flow);
    const start = (): Done => serve(ctx, next, requests, level, flow);
    return requests.wait(level, flow, state.cancellation).then(start, refuse);
  };
}

/** A request that was given up is served until its handler has answered. A stream is served until its last byte. */
function serve(ctx: Context, next: () => Done, requests: InFlight, level: Level, flow: string): Done {
  const { state } = ctx;
  state.isAdmitted = true;
  let done: Done;
  try {
    done = next();
  } catch (error) {
    requests.leave(level, flow);
    throw error;
  }
  if (done === undefined && !isStream(state.response?.body)) {
    requests.leave(level, flow);
    return undefined;
  }
  let isIn = true;
  const leave = (): void => {
    if (isIn) requests.leave(level, flow);
    isIn = false;
  };
  return finish(ctx, done, requests, flow, leave);
}

async function finish(ctx: Context, done: Done, requests: InFlight, flow: string, leave: () => void): Promise<void> {
  const { res, state } = ctx;
  try {
    await done;
    if (isLarge(state)) await takeStream(requests, flow, ctx);
  } finally {
    if (isStream(state.response?.body) && !state.isClosed) res.on('close', leave);
    else leave();
  }
}

function isLarge({ response }: RequestState): boolean {
  return isStream(response?.body) && response?.longRunning !== true;
}

/**
 * Waits until the response may be sent. A write that was done is answered anyway, because a refusal would make its
 * client repeat it.
 */
async function takeStream(requests: InFlight, flow: string, { res, state }: Context): Promise<void> {
  try {
    if (!requests.start('stream', flow)) await requests.wait('stream', flow, state.cancellation);
  } catch (error) {
    if (state.isMutating && !state.isClosed) return;
    discard(state.response?.body);
    refuse(error);
  }
  const leave = (): void => requests.leave('stream', flow);
  if (state.isClosed) leave();
  else res.once('close', leave);
}

export function refuse(error: unknown): never {
  throw error instanceof RejectedError ? overloaded() : error;
}

/**
 * Health and version are answered even if the server is busy. A failed probe would restart the server, and that would
 * not help.
 */
function levelOf({ mount, isMutating, asksForWatch }: RequestState): Level {
  if (isMutating) return 'write';
  if (mount?.isPublic === true) return 'exempt';
  return mount?.isResourceApi === true && asksForWatch ? 'watch' : 'read';
}
