import {
  type Decoded,
  decodeAhead,
  decodeJson,
  keepAhead,
  LARGE_YAML_BYTES,
  mayBeJsonObject,
  mayBeLarge,
} from '../../kube/json/decode.js';
import { DEFAULT_LIMITS } from '../../kube/json/limits.js';
import { PROTOBUF_MEDIA_TYPE } from '../../kube/protobuf/types.js';
import { ApiError } from '../../kube/status/status.js';
import type { Steps } from '../../system/yielding/steps.js';
import { yieldToLoop } from '../../system/yielding/yielding.js';
import type { ApiRequest } from '../handler.js';
import { isYamlBody, mediaTypeOf } from '../media-type.js';
import type { Context, Done, Middleware } from '../pipeline.js';
import { flowOf } from '../request.js';
import { sideThread } from '../threads/side-thread.js';
import { type InFlight, refuse } from './in-flight.js';

/**
 * A body of so many bytes, whatever its type, waits until few others like it are served, because its values take more
 * memory than its bytes.
 */
const LARGE = 2 ** 20;

/**
 * Decodes a large body in steps or in a thread, so that other requests get their turns. Handlers then only take what is
 * there.
 */
export function decodeLargeBody(requests: InFlight): Middleware {
  return (ctx, next) => {
    const { body } = ctx.state;
    // The handler decodes a body that is not even large for YAML.
    if (body.byteLength <= LARGE_YAML_BYTES) return next();
    if (body.byteLength < LARGE && !isThreadWork(ctx.state)) return decodeBefore(ctx, next);
    return amongFew(requests, ctx.state, async () => decodeBefore(ctx, next));
  };
}

/** A body in protobuf of so many bytes may have ten thousand values, which take some tens of milliseconds. */
const LARGE_PROTOBUF = 2 ** 16;

/** The legacy API has no bodies in YAML or protobuf. It reads all as JSON. */
function isThreadWork(state: Context['state']): boolean {
  if (state.mount?.isResourceApi !== true) return false;
  return isYamlBody(state) || (state.body.byteLength > LARGE_PROTOBUF && isProtobufBody(state));
}

function isProtobufBody(request: Pick<ApiRequest, 'headers'>): boolean {
  return mediaTypeOf(request) === PROTOBUF_MEDIA_TYPE;
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
  if (isThreadWork(state)) return decodedByJob(state).then(next);
  // A body with many objects is divided, and each object is decoded by itself.
  const steps = state.mount?.bulkBytes === undefined ? decodeInSteps(state) : undefined;
  return steps === undefined ? next() : steps.then(next);
}

/** Undefined if the body is small. */
export function decodeInSteps({ body, limits }: Pick<ApiRequest, 'body' | 'limits'>): Promise<void> | undefined {
  return mayBeLarge(body) ? taken(decodeAhead(body, limits)) : undefined;
}

async function taken(steps: Steps<void>): Promise<void> {
  for (const _ of steps) await yieldToLoop();
}

type Request = Pick<ApiRequest, 'body' | 'headers' | 'limits' | 'cancellation'>;

/** What is wrong with the body is thrown when the handler asks for it, as for a small body. */
async function decodedByJob(request: Request): Promise<void> {
  try {
    keepAhead(request.body, (await jsonIn(request)) ?? (await decodedByThread(request)));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    keepAhead(request.body, error);
  }
}

/** JSON is YAML, but it is decoded faster. Undefined if the body is not JSON. */
async function jsonIn({ body, limits }: Request): Promise<Decoded | undefined> {
  if (!mayBeJsonObject(body)) return undefined;
  try {
    return await decodedInSteps(body, limits);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** The thread makes JSON of it, because values cannot come from there in steps. */
async function decodedByThread(request: Request): Promise<Decoded> {
  const { body, limits = DEFAULT_LIMITS, cancellation } = request;
  const job = isProtobufBody(request) ? 'protobufToJson' : 'yamlToJson';
  const question = { job, bytes: body, limits } as const;
  const { bytes, duplicates = [] } = await sideThread.run(question, cancellation);
  // The thread has counted the values. In JSON, an empty list counts as two.
  const { value } = await decodedInSteps(bytes, { ...limits, values: 2 * limits.values });
  return { value, duplicates };
}

async function decodedInSteps(body: Uint8Array, limits: ApiRequest['limits']): Promise<Decoded> {
  await decodeInSteps({ body, limits });
  return decodeJson(body, limits);
}
