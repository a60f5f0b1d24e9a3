import { toYaml } from '../json/to-yaml.js';
import { bytesField, entry, type FieldEncoder, type MessageEncoder, text } from '../protobuf/encode.js';

/** Any { 2: yaml }. In block style, as Kubernetes writes it. */
export const Any = (value: unknown): Uint8Array => text(2)(toYaml(value));

/** Members with the prefix `x-`, as the field with this number. */
export const extensions = (number: number): { readonly prefix: string; readonly entry: FieldEncoder } => ({
  prefix: 'x-',
  entry: entry(number, () => Any),
});

/** A message that is a choice of messages: only the one with this number. */
export const choice =
  (number: number, of: () => MessageEncoder): MessageEncoder =>
  (value) =>
    bytesField(number, of()(value));
