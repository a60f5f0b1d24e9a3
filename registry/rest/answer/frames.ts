import type { ApiRequest } from '../../../pkg/http/handler.js';
import { encodeJson } from '../../../pkg/http/json.js';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Status } from '../../../pkg/kube/status/status.js';
import type { Bytes, Revision } from '../../../storage/backend.js';
import { frameOf } from '../../../storage/cacher/event.js';
import type { Delivered } from '../../../storage/cacher/watch-step.js';
import type { Entry } from '../../../storage/state/entry.js';
import { convertedBytes, convertedObject, isServedAsStored } from '../../kinds/conversion.js';
import { type Kind, listKindOf } from '../../kinds/kind.js';
import { servedInSteps, textInSteps } from '../../kinds/served-ahead.js';
import { isLong } from '../../read/reader.js';
import { includeObjectOf, type Negotiated, type Representation } from '../../table/negotiate.js';
import { type PartialObject, partialMetadataOf } from '../../table/partial.js';
import { bookmarkTable, objectTable } from '../../table/table.js';
import type { VerbTarget } from '../verb.js';
import { entryOf, type FrameEncoder } from './frame-encoder.js';
import { protobufFrames } from './protobuf-frames.js';

const INITIAL_END = 'k8s.io/initial-events-end';
/**
 * An empty list in the form of the stream. Typed clients of 1.32 and 1.33 make the list of the initial events from it.
 */
const BLUEPRINT = 'kubernetes.io/initial-events-list-blueprint';

export function frameEncoder(
  request: ApiRequest,
  target: VerbTarget,
  { as, version, isProtobuf }: Negotiated,
): FrameEncoder {
  const frames = as === 'object' ? plain(target) : converted(request, target, as, version);
  return isProtobuf ? protobufFrames(frames, BLUEPRINT) : frames;
}

/** Encodes whole objects. All watchers share the frames of objects whose kind has no conversion. */
function plain(target: VerbTarget): FrameEncoder {
  const { kind } = target;
  const object = (type: string, value: Bytes): Buffer => frameOf(type, convertedBytes(kind, value));
  return {
    event: (delivery) => {
      const entry = entryOf(delivery);
      if (isServedAsStored(kind, entry)) return delivery.frame();
      return frameOf(delivery.type, encodeJson(eventObject(kind, delivery)));
    },
    object,
    ahead: kind.conversion === undefined && kind.completion === undefined ? undefined : aheadOf(kind),
    bookmark: (revision, initial) =>
      frameOf('BOOKMARK', encodeJson(bookmarkOf(target, revision, initial && emptyList(target)))),
    error: errorFrame,
  };
}

function converted(
  request: ApiRequest,
  target: VerbTarget,
  as: Representation,
  version: 'v1' | 'v1beta1',
): FrameEncoder {
  let headers = true;
  const tableOptions = () => {
    const noHeaders = !headers;
    headers = false;
    const now = new Date(target.registry.clock.now());
    return { includeObject: includeObjectOf(request.query), version, now, noHeaders };
  };
  const convert = (object: KubeObject): unknown => {
    return as === 'Table' ? objectTable(target.kind, object, tableOptions()) : partialMetadataOf(object, version);
  };
  const mark = (object: PartialObject): unknown =>
    as === 'Table' ? bookmarkTable(target.kind, object, tableOptions()) : partialMetadataOf(object, version);
  return {
    event: (delivery) => frameOf(delivery.type, encodeJson(convert(eventObject(target.kind, delivery)))),
    object: (type, value) => frameOf(type, encodeJson(convert(convertedObject(target.kind, value)))),
    ahead: aheadOf(target.kind, convert),
    bookmark: (revision, initial) =>
      frameOf('BOOKMARK', encodeJson(mark(bookmarkOf(target, revision, initial && emptyList(target, version))))),
    error: errorFrame,
  };
}

/** Without `convert`, the frames have the objects as they are. */
function aheadOf(kind: Kind, convert?: (object: KubeObject) => unknown): FrameEncoder['ahead'] {
  return (type, entry, revision) => {
    if (!isLong(entry) || (convert === undefined && isServedAsStored(kind, entry))) return undefined;
    return frameInSteps(type, kind, entry, (object) => {
      const shown = withRevision(object, entry.revision, revision);
      return convert === undefined ? shown : convert(shown);
    });
  };
}

async function frameInSteps(
  type: string,
  kind: Kind,
  entry: Entry,
  convert: (object: KubeObject) => unknown,
): Promise<Buffer> {
  return frameOf(type, await textInSteps(convert(await servedInSteps(kind, entry))));
}

/** The object of an event. A deleted one is its last state with the revision of the deletion. */
function eventObject(kind: Kind, delivery: Delivered): KubeObject {
  const { value, revision } = entryOf(delivery);
  return withRevision(convertedObject(kind, value), revision, delivery.event.revision);
}

function withRevision(object: KubeObject, own: Revision, at: Revision): KubeObject {
  if (at === own) return object;
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(at) } };
}

function bookmarkOf({ kind }: VerbTarget, revision: Revision, initial: false | Bytes): PartialObject {
  const blueprint = initial && Buffer.from(initial).toString('base64');
  const annotations = blueprint === false ? undefined : { [INITIAL_END]: 'true', [BLUEPRINT]: blueprint };
  const metadata = { resourceVersion: String(revision), ...(annotations && { annotations }) };
  return { kind: kind.kind, apiVersion: kind.apiVersion, metadata };
}

/** `metadataVersion`: the stream has metadata only, or tables. */
function emptyList({ kind }: VerbTarget, metadataVersion?: string): Bytes {
  const type =
    metadataVersion === undefined
      ? { kind: listKindOf(kind), apiVersion: kind.apiVersion }
      : { kind: 'PartialObjectMetadataList', apiVersion: `meta.k8s.io/${metadataVersion}` };
  return encodeJson({ ...type, metadata: {}, items: [] });
}

function errorFrame(status: Status): Buffer {
  return frameOf('ERROR', encodeJson(status));
}
