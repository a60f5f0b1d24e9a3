import type { ApiRequest, ApiResponse } from '../../../pkg/http/handler.js';
import { encodeJson, wantsPretty } from '../../../pkg/http/json.js';
import { ITEM_LINE } from '../../../pkg/json/pretty.js';
import { toYaml } from '../../../pkg/json/to-yaml.js';
import type { KubeObject, ListMeta } from '../../../pkg/meta/types.js';
import { FORM_HEADERS } from '../../../pkg/negotiation/entity-tag.js';
import { prefersYaml, YAML_TYPE } from '../../../pkg/negotiation/yaml.js';
import { asBuffer } from '../../../storage/state/codec.js';
import type { Entry } from '../../../storage/state/entry.js';
import { convertedBytes, convertedObject, isServedAsStored } from '../../kinds/conversion.js';
import { type Kind, listKindOf } from '../../kinds/kind.js';
import { includeObjectOf, type Negotiated, negotiate, type Representation } from '../../table/negotiate.js';
import { partialMetadataOf } from '../../table/partial.js';
import { tableOf, tableRow } from '../../table/table.js';
import type { Target } from '../verb.js';
import { type ItemStyle, isLargeItem, itemText, largeItem } from './large-item.js';
import { awaited, type Chunk, type Chunks, ListBody } from './list-body.js';
import { protobufList } from './protobuf-list.js';
import { JSON_TYPE } from './render.js';

/** A list is sent in chunks of at most this size, which are written at once (`PIECE` of body-writer.ts), so that a large list neither fills memory nor delays other requests. */
const CHUNK = 64 * 1024;
const YAML = { 'content-type': YAML_TYPE, vary: FORM_HEADERS } as const;

/** Answers with a list. It contains the stored bytes of the objects, unless the client prefers a table or metadata only. */
export function renderList(
  request: ApiRequest,
  target: Target,
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
  { kind, registry }: Target,
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

/** A document with parsed objects, object by object: to parse and to write all of them at once would delay other requests for seconds. */
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
  const head = `{"kind":"${listKindOf(kind)}","apiVersion":"${kind.apiVersion}","metadata":${JSON.stringify(metadata)},"items":[`;
  if (areServedAsStored(kind, entries)) return chunks(head, entries);
  return chunks(head, entries, {
    small: ({ value }) => itemOf(convertedBytes(kind, value)),
    large: (entry) => largeItem(entry, { kind, form: 'compact' }),
  });
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
  return chunks(head, entries, {
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

/** What is stored as in a list is sent from there if it has at least this many bytes. Less is copied, because each chunk takes a turn of the event loop. */
const SMALLEST_RUN = CHUNK / 2;
const COMMA = ',';
const NOTHING = Buffer.alloc(0);
const END = ']}\n';

/** An object of a list: bytes that can be copied into a chunk, or a text with one character for each byte. */
type Item = Pick<Entry, 'size' | 'copy' | 'text'> & Partial<Pick<Entry, 'precedes' | 'through'>>;

function itemOf(bytes: Uint8Array): Item {
  return { size: bytes.length, copy: (target, at) => target.set(bytes, at), text: undefined };
}

/** How items are made that are not sent as they are stored. */
interface Rendering {
  readonly small: (entry: Entry) => Item;
  readonly large: (entry: Entry) => Promise<Uint8Array>;
}

/** The list in chunks of at most CHUNK bytes, unless an object is larger. Without `render`, objects are sent as they are stored. */
function* chunks(head: string, entries: readonly Entry[], render?: Rendering): Generator<Chunk, undefined, undefined> {
  let before = Buffer.from(head).toString('latin1');
  let items: Item[] = [];
  let size = before.length + END.length;
  for (let i = 0; i < entries.length; ) {
    if (render === undefined && size === END.length) {
      const end = runEnd(entries, i);
      const run = entries[i]?.through(entries[end - 1] as Entry, end < entries.length);
      if (run !== undefined && run.length >= SMALLEST_RUN) {
        yield run;
        i = end;
        continue;
      }
    }
    const entry = entries[i++] as Entry;
    const item =
      render !== undefined && isLargeItem(entry, 'compact')
        ? itemOf(yield* awaited(render.large(entry)))
        : (render?.small(entry) ?? entry);
    if (items.length > 0 && size + item.size >= CHUNK) {
      yield joined(before, items, COMMA);
      before = '';
      items = [];
      size = END.length;
    }
    items.push(item);
    size += item.size + COMMA.length;
  }
  yield joined(before, items, END);
}

/** The end of the items from `from` on that are stored as they are in a list. Together they are at most a chunk. */
function runEnd(items: readonly Item[], from: number): number {
  let end = from + 1;
  for (let size = items[from]?.size ?? 0; end < items.length; end++) {
    const next = items[end] as Entry;
    size += COMMA.length + next.size;
    if (size > CHUNK || items[end - 1]?.precedes?.(next) !== true) break;
  }
  return end;
}

/** Joins items with commas. `before` and `after` have one character for each byte. */
function joined(before: string, items: readonly Item[], after: string): Buffer {
  const texts: string[] = [];
  for (const { text } of items) {
    if (text === undefined) return copied(before, items, after);
    texts.push(text);
  }
  // To copy each text into the buffer takes three times as long. The ends belong to the first and the last text, so that all is copied once.
  texts[0] = before + (texts[0] ?? '');
  texts[texts.length - 1] += after;
  return Buffer.from(texts.join(COMMA), 'latin1');
}

function copied(before: string, items: readonly Item[], after: string): Buffer {
  const size = items.reduce((sum, item) => sum + item.size, Math.max(0, items.length - 1));
  const bytes = Buffer.allocUnsafe(before.length + size + after.length);
  let at = bytes.write(before, 'latin1');
  for (let i = 0; i < items.length; ) {
    if (i > 0) at += bytes.write(COMMA, at, 'latin1');
    const end = runEnd(items, i);
    at += copyRun(items, i, end, bytes, at);
    i = end;
  }
  bytes.write(after, at, 'latin1');
  return bytes;
}

/** Copies items that are stored as they are in a list. Returns the number of bytes. */
function copyRun(items: readonly Item[], from: number, end: number, target: Buffer, at: number): number {
  const first = items[from] as Item;
  const run = end === from + 1 ? undefined : first.through?.(items[end - 1] as Entry, false);
  if (run === undefined) first.copy(target, at);
  else run.copy(target, at);
  return run?.length ?? first.size;
}

/** A small answer is one buffer with a length. A large answer is a stream. */
function respond(chunks: Chunks, headers: ApiResponse['headers'] = JSON_TYPE): ApiResponse | Promise<ApiResponse> {
  const first = chunks.next().value ?? NOTHING;
  // If it fails, the client learns why.
  if (first instanceof Promise) return first.then(() => respond(chunks, headers));
  const second = chunks.next().value;
  if (second === undefined) return { status: 200, headers, body: first };
  return { status: 200, headers, body: new ListBody([first, second], chunks) };
}
