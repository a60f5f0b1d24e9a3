/**
 * Compiles all sources and tests once for a run. Otherwise each process of the run takes seconds to find and to compile
 * them. A compiled file that asks for its own place gets that of its source, so that it finds what lies beside it.
 */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transform } from 'esbuild';
import pLimit from 'p-limit';

const ROOT = join(import.meta.dirname, '..');
const SOURCES = ['apis', 'cmd', 'hack', 'pkg', 'registry', 'storage', 'test'];
/** Files that are imported as they are. */
const COPIED = /^pkg\/.*\.json$/;
/** So many files at a time, because a process may open only some hundreds. */
const atOnce = pLimit(64);

/** The path of a compiled file or of a pattern of such files, for that of the source. */
export const compiledPath = (folder: string, source: string): string =>
  join(folder, source.replace(/\.ts(?=$|[,}])/g, '.js'));

/** The path of the source of a compiled file, from the root. */
export const sourcePath = (folder: string, compiled: string): string =>
  compiled.replace(`${resolve(folder)}/`, '').replace(/\.js$/, '.ts');

/**
 * Writes the compiled files, and the settings with which mocha runs them, into a folder. Returns the path of these
 * settings.
 */
export async function compileTests(folder: string): Promise<string> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  const names = await Promise.all(SOURCES.map(filesIn));
  await Promise.all(names.flat().map((name) => atOnce(() => compile(folder, name))));
  const path = join(folder, '.mocharc.json');
  await writeFile(path, JSON.stringify(await mochaSettings(folder)));
  return path;
}

const filesIn = async (source: string): Promise<readonly string[]> =>
  (await readdir(join(ROOT, source), { recursive: true })).map((name) => join(source, name));

async function compile(folder: string, name: string): Promise<void> {
  const path = join(ROOT, name);
  const to = compiledPath(folder, name);
  if (COPIED.test(name)) return write(to, await readFile(path));
  if (!name.endsWith('.ts') || name.endsWith('.d.ts')) return;
  const { code } = await transform(await readFile(path), {
    loader: 'ts',
    format: 'esm',
    target: 'node20.19',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
    define: {
      'import.meta.url': JSON.stringify(pathToFileURL(path).href),
      'import.meta.dirname': JSON.stringify(dirname(path)),
      'import.meta.filename': JSON.stringify(path),
    },
  });
  await write(to, code);
}

async function write(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** Those of .mocharc.json, for the compiled files. */
async function mochaSettings(folder: string): Promise<object> {
  const own = JSON.parse(await readFile(join(ROOT, '.mocharc.json'), 'utf8'));
  const all = (paths: readonly string[]): readonly string[] => paths.map((path) => compiledPath(folder, path));
  return { ...own, 'node-option': ['enable-source-maps'], spec: all(own.spec), require: all(own.require) };
}
