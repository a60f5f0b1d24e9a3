import type { ApiResponse } from '../../../pkg/http/handler.js';
import { FORM_HEADERS } from '../../../pkg/http/negotiation/entity-tag.js';
import type { ListMeta } from '../../../pkg/kube/meta/types.js';
import { type ListType, ProtobufList } from '../../../pkg/kube/protobuf/encode-list.js';
import { PROTOBUF_MEDIA_TYPE } from '../../../pkg/kube/protobuf/types.js';
import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import type { Entry } from '../../../storage/state/entry.js';
import { convertedObject } from '../../kinds/conversion.js';
import { servedInSteps } from '../../kinds/served-ahead.js';
import { type ItemStyle, isLargeItem } from './large-item.js';
import { awaited, type Chunk, ListBody } from './list-body.js';

/** As the chunks of a list in JSON. */
const CHUNK = 64 * 1024;
/** More is encoded again when it is sent, so that a large list does not fill memory. */
const MOST_KEPT = 4 * 1024 * 1024;

const HEADERS = { 'content-type': PROTOBUF_MEDIA_TYPE, vary: FORM_HEADERS } as const;

/**
 * Answers with a list in protobuf. A list begins with its length, so all objects are encoded before the first byte is
 * sent. Others get their turns.
 */
export async function protobufList(
  type: ListType,
  metadata: ListMeta,
  entries: readonly Entry[],
  style: ItemStyle,
): Promise<ApiResponse> {
  const list = new ProtobufList(type, metadata);
  const kept: Buffer[] = [];
  let size = 0;
  for (const chunk of chunks(list, entries, style)) {
    if (chunk instanceof Promise) {
      await chunk;
      continue;
    }
    size += chunk.length;
    if (size <= MOST_KEPT) kept.push(chunk);
    await yieldToLoop();
  }
  const head = list.head(size);
  if (size <= CHUNK) return { status: 200, headers: HEADERS, body: Buffer.concat([head, ...kept]) };
  const body = size <= MOST_KEPT ? kept.values() : chunks(list, entries, style);
  return { status: 200, headers: HEADERS, body: new ListBody([head], withoutResult(body)) };
}

function* chunks(
  list: ProtobufList,
  entries: readonly Entry[],
  { kind, form, of }: ItemStyle,
): Generator<Chunk, undefined, undefined> {
  let items: Buffer[] = [];
  let size = 0;
  for (const entry of entries) {
    const object = isLargeItem(entry, form)
      ? yield* awaited(servedInSteps(kind, entry))
      : convertedObject(kind, entry.value);
    const item = list.item(of?.(object) ?? object);
    items.push(item);
    size += item.length;
    if (size < CHUNK) continue;
    yield Buffer.concat(items);
    [items, size] = [[], 0];
  }
  if (size > 0) yield Buffer.concat(items);
}

function* withoutResult(chunks: Iterable<Chunk>): Generator<Chunk, undefined, undefined> {
  yield* chunks;
}
