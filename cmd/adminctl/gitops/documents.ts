import { z } from 'zod';
import { decodeJson } from '../../../pkg/kube/json/decode.js';
import { parseYaml } from '../../../pkg/kube/json/yaml.js';
import { messageOf } from '../../../pkg/system/errors/message.js';

const Manifest = z.looseObject({
  apiVersion: z.string().min(1),
  kind: z.string().min(1),
  metadata: z.looseObject({ name: z.string().min(1), namespace: z.string().optional() }),
});
export type Manifest = z.infer<typeof Manifest>;

/** A manifest, and where it is from: `teams.yaml, document 2`. */
export interface Located {
  readonly manifest: Manifest;
  readonly origin: string;
}

/** Lists and files of many objects are larger than what the server takes as one document. */
const LIMITS = { depth: 100, values: 10_000_000 };

/** The objects in a text of YAML documents or JSON. Lists are taken apart. Throws errors that name the place. */
export function manifestsOf(text: string, source: string): readonly Located[] {
  return valuesOf(text, source).flatMap(({ value, origin }) => objectsOf(value, origin));
}

/** The values in a text of YAML documents or JSON, with their places. Throws errors that name the place. */
export function valuesOf(
  text: string,
  source: string,
): readonly { readonly value: unknown; readonly origin: string }[] {
  if (isJson(text, source)) return [{ value: jsonOf(text, source), origin: source }];
  const documents = documentsOf(text);
  return documents.map((document, i) => {
    const origin = documents.length === 1 ? source : `${source}, document ${i + 1}`;
    return { value: decoded(origin, () => yamlOf(document)), origin };
  });
}

/** A text that begins like JSON may be YAML in flow style, unless its file is named `.json`. */
function isJson(text: string, source: string): boolean {
  if (!/^\s*[{[]/.test(text) || /^---/m.test(text)) return false;
  if (source.endsWith('.json')) return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function jsonOf(text: string, source: string): unknown {
  return decoded(source, () => decodeJson(Buffer.from(text), LIMITS));
}

interface Document {
  readonly text: string;
  /** The number of lines before it. */
  readonly line: number;
}

/**
 * `---` at the beginning of a line ends a document, also in a text block, so the parts can be found without parsing.
 */
function documentsOf(text: string): readonly Document[] {
  const documents: Document[] = [];
  let [from, line, lines] = [0, 0, 0];
  const add = (to: number): void => void documents.push({ text: text.slice(from, to), line });
  for (let at = 0; at < text.length; lines++) {
    const end = text.indexOf('\n', at);
    const next = end === -1 ? text.length : end + 1;
    if (/^---(?:\s|$)/.test(text.slice(at, Math.min(next, at + 4)))) {
      add(at);
      [from, line] = [at, lines];
    }
    at = next;
  }
  add(text.length);
  return documents.filter((document) => !isBlank(document.text));
}

const isBlank = (text: string): boolean => /^(?:---)?(?:\s*(?:#.*)?(?:\n|$))*$/.test(text);

interface Decoded {
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

/** After an error, parses the document again with the lines before it, so that the error has its line in the file. */
function yamlOf({ text, line }: Document): Decoded {
  try {
    return parseYaml(text, LIMITS);
  } catch (error) {
    if (line > 0) parseYaml('\n'.repeat(line) + text, LIMITS);
    throw error;
  }
}

function decoded(origin: string, decode: () => Decoded): unknown {
  const { value, duplicates } = located(origin, decode);
  if (duplicates.length > 0) throw new Error(`${origin}: duplicate field ${duplicates.join(', ')}`);
  return value;
}

function located<T>(origin: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new Error(`${origin}: ${messageOf(error).replace(/^the body/, 'the text')}`, { cause: error });
  }
}

function objectsOf(value: unknown, origin: string): readonly Located[] {
  if (value === null || value === undefined) return [];
  const list = List.safeParse(value);
  if (list.success) return list.data.items.flatMap((item, i) => objectsOf(item, `${origin}, item ${i + 1}`));
  const object = Manifest.safeParse(value);
  if (object.success) return [{ manifest: object.data, origin }];
  const issue = object.error.issues[0];
  throw new Error(
    `${origin}: this is no object: ${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is not valid'}`,
  );
}

const List = z.looseObject({ kind: z.string().endsWith('List'), items: z.array(z.unknown()) });
