import { access, readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

/** What esbuild tells about the files that it has written, as far as the server needs it. */
const Metafile = z.object({
  outputs: z.record(
    z.string(),
    z.object({
      entryPoint: z.string().optional(),
      cssBundle: z.string().optional(),
      imports: z.array(z.object({ path: z.string(), kind: z.string(), external: z.boolean().optional() })),
    }),
  ),
});

const ENTRY = 'pkg/console/client/main.tsx';
const STYLE = 'pkg/console/client/style/first.css';
/** `hack/build.sh` writes here. The server is in a folder beside it, or runs from its sources. */
const FOLDERS = ['../console/', '../../dist/console/'];

/** The files of the console that the build has made. Their names have hashes. */
export interface ConsoleFiles {
  /**
   * What may be served, by name. All of it is read at once, because a later build replaces the folder while this server
   * runs.
   */
  readonly contents: ReadonlyMap<string, Buffer>;
  readonly script: string;
  /** The style sheet of the first view. */
  readonly style: string;
  /** The style sheets of parts that are loaded later, by the names of their scripts. */
  readonly laterStyles: ReadonlyMap<string, string>;
  /** What the script imports before it runs, so that browsers can ask for all of it at once. */
  readonly imported: readonly string[];
}

export async function consoleFiles(): Promise<ConsoleFiles> {
  const folder = await builtFolder();
  const { outputs } = Metafile.parse(JSON.parse(await readFile(new URL('meta.json', folder), 'utf8')));
  const byName = new Map(Object.entries(outputs).map(([path, output]) => [basename(path), output]));
  const [script] = [...byName].find(([, { entryPoint }]) => entryPoint === ENTRY) ?? [];
  if (script === undefined) throw new Error(`${fileURLToPath(folder)} has no script of ${ENTRY}.`);
  const imported = new Set<string>();
  const follow = (name: string): void => {
    for (const { path, kind } of byName.get(name)?.imports ?? []) {
      const next = basename(path);
      if (kind !== 'import-statement' || imported.has(next)) continue;
      imported.add(next);
      follow(next);
    }
  };
  follow(script);
  const [style] = [...byName].find(([, { entryPoint }]) => entryPoint === STYLE) ?? [];
  if (style === undefined) throw new Error(`${fileURLToPath(folder)} has no styles of ${STYLE}.`);
  const later = [...byName].filter(([name]) => name !== script && !imported.has(name));
  const laterStyles = new Map(
    later.flatMap(([name, { cssBundle }]) => (cssBundle === undefined ? [] : [[name, basename(cssBundle)] as const])),
  );
  const read = async (name: string) => [name, await readFile(new URL(name, folder))] as const;
  // The page has `style` in place of the styles that the script imports.
  const unlinked = basename(byName.get(script)?.cssBundle ?? '');
  const contents = new Map(await Promise.all([...byName.keys()].filter((name) => name !== unlinked).map(read)));
  return { contents, script, style, laterStyles, imported: [...imported] };
}

async function builtFolder(): Promise<URL> {
  for (const path of FOLDERS) {
    const folder = new URL(path, import.meta.url);
    const isThere = await access(new URL('meta.json', folder)).then(
      () => true,
      () => false,
    );
    if (isThere) return folder;
  }
  throw new Error('The console is not built: run npm run build.');
}
