import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join, relative } from 'node:path';
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
  pathOf(url: string): string;
  /** Path, line and name of a function. */
  placeOf(called: Called): string;
}

interface Source {
  readonly path: string;
  readonly text: string;
  readonly map: SourceMap;
}

export function sourcesOf(root: string): Sources {
  const known = new Map<string, Source>();
  const sourceOf = (url: string): Source => {
    const source = known.get(url) ?? read(root, fileURLToPath(url));
    known.set(url, source);
    return source;
  };
  return {
    pathOf: (url) => sourceOf(url).path,
    placeOf: ({ url, name, offset }) => {
      const { path, text, map } = sourceOf(url);
      const before = text.slice(0, offset).split('\n');
      const found = map.findEntry(before.length - 1, before.at(-1)?.length ?? 0);
      return `${path}:${'originalLine' in found ? found.originalLine + 1 : '?'} ${name || '(anonymous)'}`;
    },
  };
}

function read(root: string, file: string): Source {
  return {
    path: relative(join(root, 'dist'), file).replace(/\.js$/, '.ts'),
    text: readFileSync(file, 'utf8'),
    map: new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8'))),
  };
}
