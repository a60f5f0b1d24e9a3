import type { ApiRequest, ApiResponse } from '../../pkg/http/exchange.js';
import type { KubeObject, ListMeta } from '../../pkg/meta/types.js';
import { asBuffer } from '../../storage/codec.js';
import type { Entry } from '../../storage/state.js';
import type { Kind } from '../kind.js';
import { shownBytes, shownObject } from '../shown.js';
import { includeObjectOf, negotiate } from '../table/negotiate.js';
import { partialMetadataOf } from '../table/partial.js';
import { tableOf } from '../table/table.js';
import { encodeJson, JSON_TYPE, wantsPretty } from './render.js';
import type { Target } from './verb.js';

/** A list is sent in pieces of about this size, so that a large one neither fills memory nor holds up others. */
const CHUNK = 128 * 1024;

/** Answers with a list: the stored bytes of its objects one after another, unless the client wants a table or metadata only. */
export function renderList(
  request: ApiRequest,
  target: Target,
  entries: readonly Entry[],
  metadata: ListMeta,
): ApiResponse {
  const { as, version } = negotiate(request.headers['accept'], 'list');
  if (as === 'object') {
    if (!wantsPretty(request)) return respond(listParts(target.kind, entries, metadata));
    return { status: 200, headers: JSON_TYPE, body: encodeJson(wholeList(target.kind, entries, metadata), true) };
  }
  const objects = entries.map(({ value }) => shownObject(target.kind, value));
  if (as === 'Table') return respond(tableParts(request, target, objects, metadata, version));
  const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(metadata)},"items":[`;
  return respond(
    joined(
      head,
      objects.map((object) => () => encodeJson(partialMetadataOf(object, version))),
    ),
  );
}

function wholeList(kind: Kind, entries: readonly Entry[], metadata: ListMeta): unknown {
  return {
    kind: `${kind.kind}List`,
    apiVersion: kind.apiVersion,
    metadata,
    items: entries.map(({ value }) => shownObject(kind, value)),
  };
}

function listParts(kind: Kind, entries: readonly Entry[], metadata: ListMeta): Iterable<Buffer> {
  const head = `{"kind":"${kind.kind}List","apiVersion":"${kind.apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
  return joined(
    head,
    entries.map((entry) => () => asBuffer(shownBytes(kind, entry.value))),
  );
}

function tableParts(
  request: ApiRequest,
  { kind, registry }: Target,
  objects: readonly KubeObject[],
  metadata: ListMeta,
  version: 'v1' | 'v1beta1',
): Iterable<Buffer> {
  const options = { includeObject: includeObjectOf(request.query), version, now: new Date(registry.clock.now()) };
  return [encodeJson(tableOf(kind, objects, metadata, options))];
}

const COMMA = Buffer.from(',');
const END = Buffer.from(']}\n');

function* joined(head: string, items: readonly (() => Buffer)[]): Generator<Buffer, void, undefined> {
  yield Buffer.from(head);
  let first = true;
  for (const item of items) {
    if (!first) yield COMMA;
    first = false;
    yield item();
  }
  yield END;
}

/** Small answers are one buffer with a length; large ones a stream. */
function respond(parts: Iterable<Buffer>): ApiResponse {
  const chunks = chunked(parts);
  const first = chunks.next();
  const second = chunks.next();
  const head = first.done === true ? Buffer.alloc(0) : first.value;
  if (second.done === true) return { status: 200, headers: JSON_TYPE, body: head };
  return { status: 200, headers: JSON_TYPE, body: stream([head, second.value], chunks) };
}

async function* stream(ready: readonly Buffer[], rest: Iterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  yield* ready;
  for (const chunk of rest) {
    yield chunk;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** Gathers small parts into pieces of at least CHUNK bytes. */
function* chunked(parts: Iterable<Buffer>): Generator<Buffer, void, undefined> {
  let gathered: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    gathered.push(part);
    size += part.byteLength;
    if (size < CHUNK) continue;
    yield Buffer.concat(gathered, size);
    gathered = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(gathered, size);
}
