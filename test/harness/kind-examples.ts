import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { KindExamples } from '../../apis/testing/kind-examples.js';
import type { Kind } from '../../registry/kinds/kind.js';

const APIS = join(import.meta.dirname, '../../apis');

/** What the tests take from the folder of a kind: its `examples.ts`. */
export interface Examples {
  /** For the conformance suite and the tables. */
  readonly examples?: KindExamples;
}

const found = await Promise.all(
  readdirSync(APIS)
    .flatMap((group) => (group.includes('.') ? [] : readdirSync(join(APIS, group)).map((kind) => ({ group, kind }))))
    .filter(({ group, kind }) => existsSync(join(APIS, group, kind, 'examples.ts')))
    .map(async ({ group, kind }) => {
      const path = join(APIS, group, kind, 'examples.ts');
      return [kind, (await import(pathToFileURL(path).href)) as Examples] as const;
    }),
);

/** By the name of the folder, which is the singular of the kind. */
export const EXAMPLES: ReadonlyMap<string, Examples> = new Map(found);

export function examplesOf({ singular }: Pick<Kind, 'singular'>): Examples {
  return EXAMPLES.get(singular) ?? {};
}
