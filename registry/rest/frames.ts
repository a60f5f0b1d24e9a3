import type { ApiRequest } from '../../pkg/http/handler.js';
import { encodeJson } from '../../pkg/http/json.js';
import type { Status } from '../../pkg/status/status.js';
import type { Bytes, Revision } from '../../storage/backend.js';
import { frameOf, objectOf } from '../../storage/cacher/event.js';
import type { Delivered } from '../../storage/cacher/watch-step.js';
import { convertedBytes, convertedObject, isServedAsStored } from '../conversion.js';
import { listKindOf } from '../kind.js';
import type { Representation } from '../table/negotiate.js';
import { includeObjectOf } from '../table/negotiate.js';
import { type Marked, partialMetadataOf } from '../table/partial.js';
import { bookmarkTable, objectTable } from '../table/table.js';
import type { Target } from './verb.js';

/** Encodes the events of one watch as JSON objects, each followed by a newline. */
export interface FrameEncoder {
  event(delivery: Delivered): Buffer;
  object(type: string, value: Bytes): Buffer;
  /** `initial` marks the end of the objects that existed at the start of the watch. */
  bookmark(revision: Revision, initial: boolean): Buffer;
  /** A Status is never transformed. */
  error(status: Status): Buffer;
}

const INITIAL_END = 'k8s.io/initial-events-end';
/** An empty list in the form of the stream. Typed clients of 1.32 and 1.33 make the list of the initial events from it. */
const BLUEPRINT = 'kubernetes.io/initial-events-list-blueprint';

export function frameEncoder(
  request: ApiRequest,
  target: Target,
  as: Representation,
  version: 'v1' | 'v1beta1',
): FrameEncoder {
  return as === 'object' ? plain(target) : converted(request, target, as, version);
}

/** Encodes whole objects. All watchers share the frames of objects whose kind has no conversion. */
function plain(target: Target): FrameEncoder {
  const { kind } = target;
  const object = (type: string, value: Bytes): Buffer => frameOf(type, convertedBytes(kind, value));
  return {
    event: (delivery) => {
      const isShared = isServedAsStored(kind, () => (delivery.event.current ?? delivery.event.previous)?.revision ?? 0);
      return isShared ? delivery.frame() : object(delivery.type, objectOf(delivery));
    },
    object,
    bookmark: (revision, initial) =>
      frameOf('BOOKMARK', encodeJson(bookmarkOf(target, revision, initial && emptyList(target)))),
    error: errorFrame,
  };
}

function converted(request: ApiRequest, target: Target, as: Representation, version: 'v1' | 'v1beta1'): FrameEncoder {
  let headers = true;
  const tableOptions = () => {
    const noHeaders = !headers;
    headers = false;
    const now = new Date(target.registry.clock.now());
    return { includeObject: includeObjectOf(request.query), version, now, noHeaders };
  };
  const convert = (value: Bytes): unknown => {
    const object = convertedObject(target.kind, value);
    return as === 'Table' ? objectTable(target.kind, object, tableOptions()) : partialMetadataOf(object, version);
  };
  const mark = (object: Marked): unknown =>
    as === 'Table' ? bookmarkTable(target.kind, object, tableOptions()) : partialMetadataOf(object, version);
  const object = (type: string, value: Bytes): Buffer => frameOf(type, encodeJson(convert(value)));
  return {
    event: (delivery) => object(delivery.type, objectOf(delivery)),
    object,
    bookmark: (revision, initial) =>
      frameOf('BOOKMARK', encodeJson(mark(bookmarkOf(target, revision, initial && emptyList(target, version))))),
    error: errorFrame,
  };
}

function bookmarkOf({ kind }: Target, revision: Revision, initial: false | Bytes): Marked {
  const blueprint = initial && Buffer.from(initial).toString('base64');
  const annotations = blueprint === false ? undefined : { [INITIAL_END]: 'true', [BLUEPRINT]: blueprint };
  const metadata = { resourceVersion: String(revision), ...(annotations && { annotations }) };
  return { kind: kind.kind, apiVersion: kind.apiVersion, metadata };
}

/** `metadataVersion`: the stream has metadata only, or tables. */
function emptyList({ kind }: Target, metadataVersion?: string): Bytes {
  const type =
    metadataVersion === undefined
      ? { kind: listKindOf(kind), apiVersion: kind.apiVersion }
      : { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${metadataVersion}` };
  return encodeJson({ ...type, metadata: {}, items: [] });
}

function errorFrame(status: Status): Buffer {
  return frameOf('ERROR', encodeJson(status));
}
