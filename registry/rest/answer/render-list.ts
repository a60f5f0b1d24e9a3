import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { encodeJson, wantsPretty } from '../../../pkg/http/json.js';
import { FORM_HEADERS } from '../../../pkg/http/negotiation/entity-tag.js';
import { prefersYaml, YAML_TYPE } from '../../../pkg/http/negotiation/yaml.js';
import { ITEM_LINE } from '../../../pkg/kube/json/pretty.js';
import { toYaml } from '../../../pkg/kube/json/to-yaml.js';
import type { KubeObject, ListMeta } from '../../../pkg/kube/meta/types.js';
import { asBuffer } from '../../../storage/state/codec.js';
import type { Entry } from '../../../storage/state/entry.js';
import { convertedBytes, convertedObject, isServedAsStored } from '../../kinds/conversion.js';
import { type Kind, listKindOf } from '../../kinds/kind.js';
import { includeObjectOf, type Negotiated, negotiate, type Representation } from '../../table/negotiate.js';
import { partialMetadataOf } from '../../table/partial.js';
import { tableOf, tableRow } from '../../table/table.js';
import type { VerbTarget } from '../verb.js';
import { type ItemStyle, isLargeItem, itemText, largeItem } from './large-item.js';
import { awaited, type Chunk, type Chunks, ListBody } from './list-body.js';
import { type Batches, CHUNK, COMMA, chunks, itemOf } from './list-chunks.js';
import { protobufList } from './protobuf-list.js';
import { JSON_TYPE } from './render.js';

const YAML = { 'content-type': YAML_TYPE, vary: FORM_HEADERS } as const;

/**
 * Answers with a list. It contains the stored bytes of the objects, unless the client prefers a table or metadata only.
 */
export function renderList(
  request: ApiRequest,
  target: VerbTarget,
  entries: readonly Entry[],
  metadata: ListMeta,
): ApiResponse | Promise<ApiResponse> {
  const wanted = negotiate(request.headers['accept'], 'list', target.kind);
  if (wanted.isProtobuf)
    return protobufList(listType(target.kind, wanted.as, wanted.version), metadata, entries, {
      kind: target.kind,
      form: 'compact',
      ...itemsOf(wanted),
    });
  if (wanted.as !== 'Table' && prefersYaml(request))
    return respond(yamlChunks(target.kind, entries, metadata, wanted), YAML);
  if (wanted.as === 'Table') return respond(tableChunks(request, target, entries, metadata, wanted.version));
  if (wantsPretty(request)) return respond(prettyChunks(target.kind, entries, metadata, wanted));
  if (wanted.as === 'object') return respond(objectChunks(target.kind, entries, metadata));
  return respond(metadataChunks(target.kind, entries, metadata, wanted.version));
}

function tableChunks(
  request: ApiRequest,
  { kind, registry }: VerbTarget,
  entries: readonly Entry[],
  metadata: ListMeta,
  version: Negotiated['version'],
): Chunks {
  const now = new Date(registry.clock.now());
  const options = { includeObject: includeObjectOf(request.query), version, now };
  const of = (object: KubeObject): object => tableRow(kind, object, options);
  const form = wantsPretty(request) ? 'pretty' : 'compact';
  return jsonChunks(tableOf(kind, [], metadata, options), entries, { kind, form, of });
}

/** The items of a list that is made of parsed objects. */
function itemsOf({ as, version }: Negotiated): Pick<ItemStyle, 'of'> {
  return as === 'object' ? {} : { of: (object) => partialMetadataOf(object, version) };
}

/** For people. */
function prettyChunks(kind: Kind, entries: readonly Entry[], metadata: ListMeta, wanted: Negotiated): Chunks {
  const empty = { ...listType(kind, wanted.as, wanted.version), metadata, items: [] };
  return jsonChunks(empty, entries, { kind, form: 'pretty', ...itemsOf(wanted) });
}

/** A document in JSON with parsed objects. The last member of `empty` is the list without objects. */
function jsonChunks(empty: object, entries: readonly Entry[], style: ItemStyle): Chunks {
  const isPretty = style.form === 'pretty';
  const [newLine, lastLine] = isPretty ? [ITEM_LINE, '\n  '] : ['', ''];
  const whole = JSON.stringify(empty, null, isPretty ? 2 : undefined);
  const middle = whole.lastIndexOf(']');
  const before = whole.slice(0, middle) + newLine;
  const after = `${lastLine}${whole.slice(middle)}${isPretty ? '\n' : ''}`;
  if (entries.length === 0) return [Buffer.from(`${whole}${isPretty ? '\n' : ''}`)].values();
  return itemChunks(entries, style, { before, between: COMMA + newLine, after });
}

/** The texts around the items of a list. */
interface Around {
  readonly before: string;
  readonly between: string;
  readonly after: string;
}

/**
 * A document with parsed objects, object by object: to parse and to write all of them at once would delay other
 * requests for seconds.
 */
function* itemChunks(
  entries: readonly Entry[],
  style: ItemStyle,
  { before, between, after }: Around,
): Generator<Chunk, undefined, undefined> {
  const { kind, form, of } = style;
  let text = before;
  let separator = '';
  for (const entry of entries) {
    if (text.length >= CHUNK) {
      yield Buffer.from(text);
      text = '';
    }
    text += separator;
    separator = between;
    if (isLargeItem(entry, form)) {
      const item = yield* awaited(largeItem(entry, style));
      yield Buffer.from(text);
      yield asBuffer(item);
      text = '';
    } else {
      const object = convertedObject(kind, entry.value);
      text += itemText(of?.(object) ?? object, form);
    }
  }
  yield Buffer.from(`${text}${after}`);
}

function listType(
  kind: Kind,
  as: Representation,
  version: string,
): { readonly kind: string; readonly apiVersion: string } {
  if (as === 'object') return { kind: listKindOf(kind), apiVersion: kind.apiVersion };
  return { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${version}` };
}

function objectChunks(kind: Kind, entries: readonly Entry[], metadata: ListMeta): Chunks {
  if (areServedAsStored(kind, entries)) return storedChunks(kind, [{ entries, isLast: true }], metadata);
  return chunks(objectHead(kind, metadata), [{ entries, isLast: true }], {
    small: ({ value }) => itemOf(convertedBytes(kind, value)),
    large: (entry) => largeItem(entry, { kind, form: 'compact' }),
  });
}

function storedChunks(kind: Kind, batches: Batches, metadata: ListMeta): Chunks {
  return chunks(objectHead(kind, metadata), batches);
}

function objectHead(kind: Kind, metadata: ListMeta): string {
  return `{"kind":"${listKindOf(kind)}","apiVersion":"${kind.apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
}

/** Whether a list has the stored bytes of the objects, whatever these are. */
export function hasStoredBytes(request: ApiRequest, kind: Kind): boolean {
  if (kind.completion !== undefined || kind.conversion !== undefined) return false;
  const { as, isProtobuf } = negotiate(request.headers['accept'], 'list', kind);
  return as === 'object' && !isProtobuf && !prefersYaml(request) && !wantsPretty(request);
}

/** Answers with such a list, whose entries are read when the client takes them. */
export function renderStored(
  { kind }: VerbTarget,
  batches: Batches,
  metadata: ListMeta,
): ApiResponse | Promise<ApiResponse> {
  return respond(storedChunks(kind, batches, metadata));
}

/** If all objects of a kind are sent as they are, there is no need to check each one. */
function areServedAsStored(kind: Kind, entries: readonly Entry[]): boolean {
  if (kind.completion === undefined) return kind.conversion === undefined;
  return entries.every((entry) => isServedAsStored(kind, entry));
}

function metadataChunks(
  kind: Kind,
  entries: readonly Entry[],
  metadata: ListMeta,
  version: Negotiated['version'],
): Chunks {
  const of = (object: KubeObject) => partialMetadataOf(object, version);
  const head = `{"kind":"PartialObjectMetadataList","apiVersion":"meta.k8s.io/${version}","metadata":${JSON.stringify(metadata)},"items":[`;
  return chunks(head, [{ entries, isLast: true }], {
    small: ({ value }) => itemOf(encodeJson(of(convertedObject(kind, value)))),
    large: (entry) => largeItem(entry, { kind, form: 'compact', of }),
  });
}

/** The list in YAML. */
function yamlChunks(kind: Kind, entries: readonly Entry[], metadata: ListMeta, wanted: Negotiated): Chunks {
  const type = listType(kind, wanted.as, wanted.version);
  const head = toYaml({ ...type, metadata, ...(entries.length === 0 && { items: [] }) });
  const around = { before: entries.length === 0 ? head : `${head}items:\n`, between: '', after: '' };
  return itemChunks(entries, { kind, form: 'yaml', ...itemsOf(wanted) }, around);
}

const NOTHING = Buffer.alloc(0);

/** A small answer is one buffer with a length. A large answer is a stream. */
function respond(chunks: Chunks, headers: ApiResponse['headers'] = JSON_TYPE): ApiResponse | Promise<ApiResponse> {
  const first = chunks.next().value ?? NOTHING;
  // If it fails, the client learns why.
  if (first instanceof Promise) return first.then(() => respond(chunks, headers));
  const second = chunks.next().value;
  if (second === undefined) return { status: 200, headers, body: first };
  return { status: 200, headers, body: new ListBody([first, second], chunks) };
}
