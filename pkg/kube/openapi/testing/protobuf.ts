import protobuf from 'protobufjs/light.js';

type Fields = Readonly<Record<string, protobuf.IField>>;

/** Decodes the document with the messages that a test needs of it. The first one is the document. */
export function decodeDocument(messages: Readonly<Record<string, Fields>>, bytes: Uint8Array): unknown {
  const nested = Object.fromEntries(Object.entries(messages).map(([name, fields]) => [name, { fields }]));
  const [first = ''] = Object.keys(messages);
  const type = protobuf.Root.fromJSON({ nested } as protobuf.INamespace).lookupType(first);
  return type.decode(bytes).toJSON();
}

/** A list of `{ name }` in the field of this number. */
export const named = (id: number): Readonly<Record<string, Fields>> => ({
  Named: { named: { rule: 'repeated', type: 'Name', id } },
  Name: { name: { type: 'string', id: 1 } },
});
