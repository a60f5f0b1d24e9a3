import { parseAllDocuments } from 'yaml';
import { EXACT, type Parsed, type Path, type Problem, pathOfField, placeOf } from '../../editor/yaml.js';

/** An object of the text, and where it is. */
export interface Manifest {
  readonly object: Record<string, unknown>;
  readonly origin: string;
  /** Where a field of it is, such as `.spec.title`: its line in the text. */
  readonly lineOf: (field: string) => number;
}

export type Read =
  | { readonly manifests: readonly Manifest[]; readonly problem?: undefined; readonly problems?: undefined }
  /** The message of the first problem, and all problems with their places. */
  | { readonly problem: string; readonly problems: readonly Problem[]; readonly manifests?: undefined };

/** The most objects that the server applies at once. */
const MOST = 10_000;
const NOTHING: Read = { problem: 'There is nothing to apply yet.', problems: [] };

/** The objects in a text of YAML documents or JSON, including the items of lists. */
export function manifestsIn(text: string): Read {
  const manifests: Manifest[] = [];
  const problems: Problem[] = [];
  const words: string[] = [];
  const documents = parseAllDocuments(text, { uniqueKeys: true, logLevel: 'silent', ...EXACT });
  if (!Array.isArray(documents)) return NOTHING;
  for (const [index, document] of documents.entries()) {
    const [from] = document.contents?.range ?? document.range;
    const line = text.slice(0, from).split('\n').length;
    const origin = documents.length === 1 ? 'the text' : `document ${index + 1} (line ${line})`;
    for (const { message, pos } of document.errors) {
      words.push(message);
      problems.push({ from: pos[0], to: pos[1], message: shortened(message) });
    }
    if (document.errors.length > 0) continue;
    const problem = take(document.toJS({ maxAliasCount: 100 }), manifests, {
      origin,
      path: [],
      lineAt: (path) => text.slice(0, placeOf(document as Parsed, path).from).split('\n').length,
    });
    if (problem === undefined) continue;
    words.push(problem);
    problems.push({ from, to: from, message: problem });
  }
  const [problem] = words;
  if (problem !== undefined) return { problem, problems };
  if (manifests.length === 0) return NOTHING;
  if (manifests.length <= MOST) return { manifests };
  return {
    problem: `These are ${manifests.length} objects. The server applies at most ${MOST} at once.`,
    problems: [],
  };
}

/** The message without the place and the quoted lines, which the editor shows. */
function shortened(message: string): string {
  return message.replace(/ at line \d+, column \d+:[\s\S]*$/, '');
}

/** Where a value is in the text. */
interface Source {
  readonly origin: string;
  readonly path: Path;
  readonly lineAt: (path: Path) => number;
}

function take(value: unknown, into: Manifest[], source: Source): string | undefined {
  const { origin, path, lineAt } = source;
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return `In ${origin}: this is no object.`;
  const object = value as Record<string, unknown>;
  const { kind, items } = object;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    for (const [index, item] of items.entries()) {
      const inside = { origin: `${origin}, item ${index + 1}`, path: [...path, 'items', index], lineAt };
      const problem = take(item, into, inside);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  const missing = ['apiVersion', 'kind', 'metadata'].find((member) => object[member] === undefined);
  if (missing !== undefined) return `In ${origin}: ${missing} is missing.`;
  into.push({ object, origin, lineOf: (field) => lineAt([...path, ...pathOfField(field)]) });
  return undefined;
}
