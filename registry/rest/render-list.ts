import { setImmediate } from 'node:timers/promises';
import type { ApiRequest, ApiResponse } from '../../pkg/http/handler.js';
import { encodeJson, wantsPretty } from '../../pkg/http/json.js';
import type { ListMeta } from '../../pkg/meta/types.js';
import { asBuffer } from '../../storage/codec.js';
import type { Entry } from '../../storage/state.js';
import { convertedBytes, convertedObject } from '../conversion.js';
import type { Kind } from '../kind.js';
import { includeObjectOf, type Negotiated, negotiate } from '../table/negotiate.js';
import { partialMetadataOf } from '../table/partial.js';
import { tableOf } from '../table/table.js';
import { JSON_TYPE } from './render.js';
import type { Target } from './verb.js';

/** A list is sent in chunks of about this size, so that a large list neither fills memory nor delays other requests. */
const CHUNK = 128 * 1024;

/** Answers with a list. It contains the stored bytes of the objects, unless the client prefers a table or metadata only. */
export function renderList(
  request: ApiRequest,
  target: Target,
  entries: readonly Entry[],
  metadata: ListMeta,
): ApiResponse {
  const wanted = negotiate(request.headers['accept'], 'list');
  const isPretty = wantsPretty(request);
  if (isPretty || wanted.as === 'Table') {
    const body = encodeJson(wholeList(request, target, entries, metadata, wanted), isPretty);
    return { status: 200, headers: JSON_TYPE, body };
  }
  if (wanted.as === 'object') return respond(listParts(target.kind, entries, metadata));
  return respond(metadataParts(target.kind, entries, metadata, wanted.version));
}

function wholeList(
  request: ApiRequest,
  { kind, registry }: Target,
  entries: readonly Entry[],
  metadata: ListMeta,
  { as, version }: Negotiated,
): unknown {
  const objects = entries.map(({ value }) => convertedObject(kind, value));
  if (as === 'object') return { kind: `${kind.kind}List`, apiVersion: kind.apiVersion, metadata, items: objects };
  if (as === 'Table') {
    const now = new Date(registry.clock.now());
    return tableOf(kind, objects, metadata, { includeObject: includeObjectOf(request.query), version, now });
  }
  const items = objects.map((object) => partialMetadataOf(object, version));
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}`, metadata, items };
}

function listParts(kind: Kind, entries: readonly Entry[], metadata: ListMeta): Iterable<Buffer> {
  const head = `{"kind":"${kind.kind}List","apiVersion":"${kind.apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
  return joined(
    head,
    entries.map((entry) => () => asBuffer(convertedBytes(kind, entry.value))),
  );
}

function metadataParts(
  kind: Kind,
  entries: readonly Entry[],
  metadata: ListMeta,
  version: Negotiated['version'],
): Iterable<Buffer> {
  const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(metadata)},"items":[`;
  const item = ({ value }: Entry): Buffer => encodeJson(partialMetadataOf(convertedObject(kind, value), version));
  return joined(
    head,
    entries.map((entry) => () => item(entry)),
  );
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

/** A small answer is one buffer with a length. A large answer is a stream. */
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
    await setImmediate();
  }
}

/** Joins small parts to chunks of at least CHUNK bytes. */
function* chunked(parts: Iterable<Buffer>): Generator<Buffer, void, undefined> {
  let pending: Buffer[] = [];
  let size = 0;
  for (const part of parts) {
    pending.push(part);
    size += part.byteLength;
    if (size < CHUNK) continue;
    yield Buffer.concat(pending, size);
    pending = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(pending, size);
}
