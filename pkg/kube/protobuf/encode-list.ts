import protobuf from 'protobufjs/light.js';
import { envelopeOf } from './encode-object.js';
import { messageOf } from './from-json.js';
import { lengthTag, typeOfKind } from './types.js';

export interface ListType {
  readonly apiVersion: string;
  readonly kind: string;
}

/** Encodes a list in parts, because it may be large. */
export class ProtobufList {
  readonly #type: ListType;
  readonly #itemType: protobuf.Type;
  readonly #itemTag: number;
  readonly #metadata: Buffer;

  constructor(type: ListType, metadata: object) {
    const list = typeOfKind(type.apiVersion, type.kind);
    const items = list?.fields['items']?.resolve();
    if (list === undefined || items === undefined) throw new Error(`${type.kind} has no form in protobuf`);
    this.#type = type;
    this.#itemType = items.resolvedType as protobuf.Type;
    this.#itemTag = lengthTag(items.id);
    this.#metadata = Buffer.from(list.encode(messageOf(list, { metadata })).finish());
  }

  /** The bytes before the items. `size` is the number of bytes of all items. */
  head(size: number): Buffer {
    return Buffer.concat([envelopeOf(this.#type, this.#metadata.length + size), this.#metadata]);
  }

  item(object: object): Buffer {
    const message = this.#itemType.encode(messageOf(this.#itemType, object as Readonly<Record<string, unknown>>));
    const bytes = message.finish();
    return Buffer.from(protobuf.Writer.create().uint32(this.#itemTag).bytes(bytes).finish());
  }
}
