import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { KindExamples } from '../../apis/testing/kind-examples.js';
import type { LegacyExamples } from '../../apis/testing/legacy-examples.js';
import type { PermissionExamples } from '../../apis/testing/permission-examples.js';
import type { Kind } from '../../registry/kinds/kind.js';

const APIS = join(import.meta.dirname, '../../apis');

/** What the tests take from the folder of a kind: its `examples.ts`. */
export interface Examples {
  /** For the conformance suite and the tables. */
  readonly examples?: KindExamples;
  /** For the tables of permissions. */
  readonly permissions?: PermissionExamples;
  /** For the routes of the legacy API. It is in `legacy/examples.ts`. */
  readonly legacy?: LegacyExamples;
}

const folders = readdirSync(APIS)
  .filter((group) => !group.includes('.'))
  .flatMap((group) => readdirSync(join(APIS, group)).map((kind) => ({ path: join(group, kind), kind })));

async function load(path: string): Promise<Examples> {
  return existsSync(join(APIS, `${path}.ts`)) ? await import(`../../apis/${path}.js`) : {};
}

const found = await Promise.all(
  folders.map(async ({ path, kind }) => {
    const [own, legacy] = [await load(join(path, 'examples')), await load(join(path, 'legacy', 'examples'))];
    return [kind, { ...own, ...legacy }] as const;
  }),
);

/** By the name of the folder, which is the singular of the kind. */
export const EXAMPLES: ReadonlyMap<string, Examples> = new Map(
  found.filter(([, examples]) => Object.keys(examples).length > 0),
);

export function examplesOf({ singular }: Pick<Kind, 'singular'>): Examples {
  return EXAMPLES.get(singular) ?? {};
}
