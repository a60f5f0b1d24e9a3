import { parseAllDocuments } from 'yaml';

/** An object of the text, and where it is. */
export interface Manifest {
  readonly object: Record<string, unknown>;
  readonly origin: string;
}

export type Read =
  | { readonly manifests: readonly Manifest[]; readonly problem?: undefined }
  | { readonly problem: string; readonly manifests?: undefined };

/** The most objects that the server applies at once. */
const MOST = 10_000;

/** The objects in a text of YAML documents or JSON. Lists are taken apart. The first thing that is wrong is told with its line. */
export function manifestsIn(text: string): Read {
  const manifests: Manifest[] = [];
  const documents = parseAllDocuments(text, { uniqueKeys: true, logLevel: 'silent' });
  if (!Array.isArray(documents)) return { problem: 'There is nothing to apply yet.' };
  for (const [index, document] of documents.entries()) {
    const line = text.slice(0, document.range[0]).split('\n').length;
    const origin = documents.length === 1 ? 'the text' : `document ${index + 1} (line ${line})`;
    const [error] = document.errors;
    if (error !== undefined) return { problem: error.message };
    const problem = take(document.toJS({ maxAliasCount: 100 }), origin, manifests);
    if (problem !== undefined) return { problem };
  }
  if (manifests.length === 0) return { problem: 'There is nothing to apply yet.' };
  if (manifests.length > MOST)
    return { problem: `These are ${manifests.length} objects. The server applies at most ${MOST} at once.` };
  return { manifests };
}

function take(value: unknown, origin: string, into: Manifest[]): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value !== 'object' || Array.isArray(value)) return `In ${origin}: this is no object.`;
  const object = value as Record<string, unknown>;
  const { kind, items } = object;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    for (const [index, item] of items.entries()) {
      const problem = take(item, `${origin}, item ${index + 1}`, into);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  const missing = ['apiVersion', 'kind', 'metadata'].find((member) => object[member] === undefined);
  if (missing !== undefined) return `In ${origin}: ${missing} is missing.`;
  into.push({ object, origin });
  return undefined;
}
