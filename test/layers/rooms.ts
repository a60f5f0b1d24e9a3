import { dirname, join } from 'node:path/posix';

/** A file, and the files that it imports, from the root of the repository and without an extension. */
export interface Source {
  readonly path: string;
  readonly imports: readonly string[];
}

/** An import or an export from another file, also one that is for types only or that comes late. */
const IMPORT = /(?:^(?:import|export)\b[^'";=]*?|\bimport\()'(\.{1,2}\/[^']+)\.js'/gm;

export function importsOf(path: string, text: string): readonly string[] {
  return [...text.matchAll(IMPORT)].map(([, imported = '']) => join(dirname(path), imported));
}

/** The folders of a layer are its rooms. A file that is directly in a layer is in none. */
function roomOf(path: string): string | undefined {
  const [layer, room, ...rest] = path.split('/');
  return rest.length === 0 ? undefined : `${layer}/${room}`;
}

/** Pairs of rooms of one layer that import each other, with the imports of the side that has fewer. */
export function mutualRooms(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const imports = importsByRooms(sources);
  const pairs = [...imports.keys()].filter((pair) => imports.has(reversed(pair)) && pair < reversed(pair));
  return new Map(pairs.map((pair) => [pair, [...(imports.get(pair) ?? []), ...(imports.get(reversed(pair)) ?? [])]]));
}

function importsByRooms(sources: readonly Source[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, imports } of sources)
    for (const imported of imports) {
      const [from, to] = [roomOf(path), roomOf(imported)];
      if (from === undefined || to === undefined || from === to || layerOf(from) !== layerOf(to)) continue;
      const pair = `${from}, ${to}`;
      found.set(pair, [...(found.get(pair) ?? []), `${path} imports ${imported}`]);
    }
  return found;
}

const layerOf = (room: string): string | undefined => room.split('/')[0];
const reversed = (pair: string): string => pair.split(', ').reverse().join(', ');
