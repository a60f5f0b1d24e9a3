import { parseExactly, parseJson } from '../../../pkg/kube/json/parse.js';
import { encodeKubernetesProtobuf, type Typed } from '../../../pkg/kube/protobuf/encode-object.js';
import { PROTOBUF_MEDIA_TYPE, typeNamed } from '../../../pkg/kube/protobuf/types.js';
import type { FrameEncoder } from './frame-encoder.js';

/** The type of a stream in protobuf. */
export const PROTOBUF_STREAM = `${PROTOBUF_MEDIA_TYPE};stream=watch`;

/** A frame in JSON, parsed. */
interface WatchEvent {
  readonly type: string;
  readonly object: Typed & { readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> } };
}

/** All watchers share the frames of an event in JSON, and so those that are made of them. */
const made = new WeakMap<Buffer, Buffer>();

/**
 * Encodes the frames of another encoder in protobuf. `blueprint` is the annotation of a bookmark with a list in the
 * form of the stream.
 */
export function protobufFrames(json: FrameEncoder, blueprint: string): FrameEncoder {
  return {
    event: (delivery) => {
      const frame = json.event(delivery);
      const known = made.get(frame) ?? frameOf(parsed(frame));
      made.set(frame, known);
      return known;
    },
    object: (type, value) => frameOf(parsed(json.object(type, value))),
    ahead:
      json.ahead &&
      ((type, entry, revision) => json.ahead?.(type, entry, revision)?.then((frame) => frameOf(parsed(frame)))),
    bookmark: (revision, initial) => frameOf(withBlueprint(parsed(json.bookmark(revision, initial)), blueprint)),
    error: (status) => frameOf(parsed(json.error(status))),
  };
}

const parsed = (frame: Buffer): WatchEvent => parseJson(frame.toString()) as WatchEvent;

/** An event (metav1.WatchEvent) after its length in four bytes. */
function frameOf({ type, object }: WatchEvent): Buffer {
  const raw = encodeKubernetesProtobuf(object);
  if (raw === undefined) throw new Error(`${object.kind} of ${object.apiVersion} has no form in protobuf`);
  const event = typeNamed('MetaV1WatchEvent').encode({ type, object: { raw } }).finish();
  const length = Buffer.alloc(4);
  length.writeUInt32BE(event.length);
  return Buffer.concat([length, event]);
}

function withBlueprint({ type, object }: WatchEvent, blueprint: string): WatchEvent {
  const { metadata } = object;
  const list = metadata?.annotations?.[blueprint];
  if (list === undefined) return { type, object };
  const encoded = encodeKubernetesProtobuf(parseExactly(Buffer.from(list, 'base64').toString()) as Typed);
  const annotations = { ...metadata?.annotations, [blueprint]: encoded?.toString('base64') ?? '' };
  return { type, object: { ...object, metadata: { ...metadata, annotations } } };
}
