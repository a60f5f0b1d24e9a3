import { readFileSync } from 'node:fs';
import { decodeJson } from '../../../pkg/kube/json/decode.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { valuesOf } from '../gitops/documents.js';
import type { TreeFile } from './walk.js';

export interface TreeValue {
  readonly value: unknown;
  /** The file, and the place in it: `all.yaml, document 2`. */
  readonly origin: string;
}

const LIMITS = { depth: 100, values: 10_000_000 };
const YAML = /\.ya?ml$/i;
/** Editors of some systems write it at the beginning of a text. */
const BYTE_ORDER_MARK = '\ufeff';

/** The values in a file: the JSON, or the documents of YAML. Throws an error with the name and the line. */
export function valuesIn({ path, name }: TreeFile): readonly TreeValue[] {
  const content = readFileSync(path, 'utf8');
  const text = content.startsWith(BYTE_ORDER_MARK) ? content.slice(BYTE_ORDER_MARK.length) : content;
  if (YAML.test(name)) return valuesOf(text, name);
  try {
    return [{ value: decodeJson(Buffer.from(text), LIMITS).value, origin: name }];
  } catch (cause) {
    throw new Error(`${name}: ${messageOf(cause).replace(/^the body/, 'the text')}`, { cause });
  }
}
