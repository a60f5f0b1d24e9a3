import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A function and the number of its calls. `offset` is its position in the compiled file. */
export interface Called {
  readonly url: string;
  readonly name: string;
  readonly offset: number;
  readonly count: number;
}

/** Finds the TypeScript source of functions that ran from the `dist` of a checkout. */
export interface Sources {
  /** The path below the checkout. Undefined for code of libraries, and for what the bundler adds. */
  pathOf(called: Called): string | undefined;
  /** Path, line and name of a function. */
  placeOf(called: Called): string;
}

interface Bundle {
  readonly file: string;
  /** The offset at which each line begins. */
  readonly lines: readonly number[];
  readonly map: SourceMap;
}

interface Place {
  readonly path: string;
  readonly line: number;
}

export function sourcesOf(root: string): Sources {
  const bundles = new Map<string, Bundle>();
  const bundleOf = (url: string): Bundle => {
    const bundle = bundles.get(url) ?? read(fileURLToPath(url));
    bundles.set(url, bundle);
    return bundle;
  };
  const find = ({ url, offset }: Called): Place | undefined => {
    const place = origin(bundleOf(url), offset);
    const path = place && relative(root, place.path);
    return place === undefined || path === undefined || path.startsWith('..') || path.includes('node_modules/')
      ? undefined
      : { path, line: place.line };
  };
  return {
    pathOf: (called) => find(called)?.path,
    placeOf: (called) => {
      const { path = '?', line = '?' } = find(called) ?? {};
      return `${path}:${line} ${called.name || '(anonymous)'}`;
    },
  };
}

function read(file: string): Bundle {
  const lines = [0];
  for (const { index } of readFileSync(file, 'utf8').matchAll(/\n/g)) lines.push(index + 1);
  return { file, lines, map: new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))) };
}

function origin({ file, lines, map }: Bundle, offset: number): Place | undefined {
  const line = lineAt(lines, offset);
  const found = map.findEntry(line, offset - (lines[line] ?? 0));
  if (!('originalSource' in found)) return undefined;
  return { path: resolve(dirname(file), found.originalSource), line: found.originalLine + 1 };
}

/** The last line that begins at or before the offset. */
function lineAt(lines: readonly number[], offset: number): number {
  let [low, high] = [0, lines.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
