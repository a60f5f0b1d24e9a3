/**
 * Bundles what browsers load.
 *   tsx hack/console-bundle.ts FOLDER FOOTER
 * esbuild makes a chunk for each set of entry points that share modules: the first view would be of sixty small files.
 * So each part that is loaded later imports the script of the first view, which is there already. Then all modules of
 * the first view are in one chunk. Each part has a style sheet of what it imports and the first view does not.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..');
const SCRIPT = 'pkg/console/client/main.tsx';
const STYLE = 'pkg/console/client/style/first.css';
/** Before the path of a part, for its style sheet. */
const STYLES_OF = 'styles-of:';
const [folder = '', footer = ''] = process.argv.slice(2);

const OPTIONS = {
  absWorkingDir: ROOT,
  logLevel: 'warning',
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  charset: 'utf8',
  legalComments: 'none',
  outdir: resolve(folder),
  metafile: true,
  entryNames: '[name]-[hash]',
  chunkNames: '[name]-[hash]',
  assetNames: '[name]-[hash]',
} as const satisfies BuildOptions;

type Inputs = Metafile['inputs'];

/** A file, and what it imports before it runs, in the order in which it runs. */
function closureOf(inputs: Inputs, entry: string): readonly string[] {
  const [begun, found] = [new Set<string>(), [] as string[]];
  const follow = (path: string): void => {
    if (begun.has(path)) return;
    begun.add(path);
    for (const { path: next, kind } of inputs[path]?.imports ?? []) if (kind !== 'dynamic-import') follow(next);
    found.push(path);
  };
  follow(entry);
  return found;
}

/** What is loaded later. */
function laterOf(inputs: Inputs, first: ReadonlySet<string>): readonly string[] {
  const loaded = Object.values(inputs).flatMap(({ imports }) =>
    imports.filter(({ kind }) => kind === 'dynamic-import'),
  );
  return [...new Set(loaded.map(({ path }) => path))].filter((path) => !first.has(path));
}

/** Scripts without styles. Each part that is loaded later imports the first script. */
function scripts(later: readonly string[]): Plugin {
  return {
    name: 'scripts',
    setup: ({ onLoad }) => {
      onLoad({ filter: /\.css$/ }, () => ({ contents: '', loader: 'empty' }));
      onLoad({ filter: /\.tsx?$/ }, async ({ path }) => {
        if (!later.includes(relative(ROOT, path))) return undefined;
        const contents = `${await readFile(path, 'utf8')}\nimport ${JSON.stringify(join(ROOT, SCRIPT))};\n`;
        return { contents, loader: path.endsWith('x') ? 'tsx' : 'ts', resolveDir: dirname(path) };
      });
    },
  };
}

/** A style sheet for each part. */
function styles(sheets: ReadonlyMap<string, readonly string[]>): Plugin {
  const filter = new RegExp(`^${STYLES_OF}`);
  return {
    name: 'styles',
    setup: ({ onLoad, onResolve }) => {
      onResolve({ filter }, ({ path }) => ({ path: path.slice(STYLES_OF.length), namespace: 'styles' }));
      onLoad({ filter: /./, namespace: 'styles' }, ({ path }) => {
        const imports = (sheets.get(path) ?? []).map((sheet) => `@import ${JSON.stringify(join(ROOT, sheet))};`);
        return { contents: imports.join('\n'), loader: 'css', resolveDir: ROOT };
      });
    },
  };
}

const { inputs } = (await build({ ...OPTIONS, entryPoints: [SCRIPT, STYLE], write: false })).metafile;
const first = new Set(closureOf(inputs, SCRIPT));
const later = laterOf(inputs, first);
const sheets = new Map(
  later
    .map((part) => [part, closureOf(inputs, part).filter((path) => path.endsWith('.css') && !first.has(path))] as const)
    .filter(([, own]) => own.length > 0),
);
/** Parts with the same styles share a sheet: esbuild makes one file of two with the same name and content. */
const sheetsOf = (part: string): string => JSON.stringify(sheets.get(part) ?? []);
const sharers = new Map([...sheets.keys()].map((part) => [sheetsOf(part), part]));
const plugins = [scripts(later)];
const script = await build({ ...OPTIONS, entryPoints: [SCRIPT], plugins, footer: { js: footer } });
const style = await build({
  ...OPTIONS,
  entryPoints: [
    { in: STYLE, out: basename(STYLE, '.css') },
    ...[...sharers.values()].map((part) => ({ in: `${STYLES_OF}${part}`, out: basename(part, extname(part)) })),
  ],
  plugins: [styles(sheets)],
});
const sheetOf = new Map(
  Object.entries(style.metafile.outputs).map(([path, { entryPoint = '' }]) => [
    entryPoint.replace(/^styles:/, ''),
    path,
  ]),
);
const outputs = Object.entries(script.metafile.outputs).map(([path, output]) => {
  const cssBundle = sheetOf.get(sharers.get(sheetsOf(output.entryPoint ?? '')) ?? '');
  return [path, { ...output, ...(cssBundle !== undefined && { cssBundle }) }] as const;
});
const all = { ...Object.fromEntries(outputs), ...style.metafile.outputs };
await writeFile(join(folder, 'meta.json'), JSON.stringify({ inputs, outputs: all }));
