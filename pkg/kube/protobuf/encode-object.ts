import protobuf from 'protobufjs/light.js';
import { messageOf } from './from-json.js';
import { lengthTag, MAGIC, typeNamed, typeOfKind } from './types.js';

export type Typed = { readonly apiVersion: string; readonly kind: string } & Readonly<Record<string, unknown>>;

/** The form of an object in Kubernetes' protobuf. Undefined if its kind has none. */
export function encodeKubernetesProtobuf(object: Typed): Buffer | undefined {
  const type = typeOfKind(object.apiVersion, object.kind);
  if (type === undefined) return undefined;
  const message = type.encode(messageOf(type, object)).finish();
  return Buffer.concat([envelopeOf(object, message.length), message]);
}

/** What is before the message of an object (runtime.Unknown) with this many bytes. */
export function envelopeOf({ apiVersion, kind }: Pick<Typed, 'apiVersion' | 'kind'>, size: number): Buffer {
  const typeMeta = typeNamed('TypeMeta').encode({ apiVersion, kind }).finish();
  const writer = protobuf.Writer.create().uint32(lengthTag(1)).bytes(typeMeta).uint32(lengthTag(2)).uint32(size);
  return Buffer.concat([MAGIC, writer.finish()]);
}
