import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** A package that is in the archive, or that npm installs with it. */
export interface Shipped {
  readonly name: string;
  readonly version: string;
  /** An expression of SPDX. */
  readonly license: string;
  /** Where it is, such as `node_modules/zod`. */
  readonly folder: string;
}

/** What esbuild writes about a bundle: https://esbuild.github.io/api/#metafile. */
const Bundle = z.object({
  outputs: z.record(z.string(), z.object({ inputs: z.record(z.string(), z.object({ bytesInOutput: z.number() })) })),
});
const Manifest = z.object({ name: z.string(), version: z.string(), license: z.string() });
const Own = z.object({ optionalDependencies: z.record(z.string(), z.string()) });

/** What esbuild wrote about the programs, their threads and the console. The build must have run. */
const BUNDLES = ['dist/.bundle.json', 'dist/.threads.json', 'dist/console/meta.json'];
/** Its files are served as they are. */
const COPIED = ['node_modules/swagger-ui-dist'];

const json = async <T>(schema: z.ZodType<T>, path: string): Promise<T> =>
  schema.parse(JSON.parse(await readFile(path, 'utf8')));

/** The files of which there is something in a bundle. */
export async function bundledFiles(): Promise<readonly string[]> {
  const bundles = await Promise.all(BUNDLES.map((path) => json(Bundle, path)));
  const inputs = bundles.flatMap(({ outputs }) =>
    Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs)),
  );
  return [...new Set(inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0).map(([path]) => path))].toSorted();
}

/** The packages that are in the archive, ordered by name. */
export async function bundledPackages(): Promise<readonly Shipped[]> {
  const folders = (await bundledFiles()).flatMap((path) => packageFolder(path) ?? []);
  return packagesIn([...folders, ...COPIED]);
}

/** The packages that npm installs beside it, as far as they are for this platform. */
export async function installedPackages(): Promise<readonly Shipped[]> {
  const { optionalDependencies } = await json(Own, 'package.json');
  const folders = Object.keys(optionalDependencies).map((name) => `node_modules/${name}`);
  return packagesIn(folders.filter((folder) => existsSync(folder)));
}

async function packagesIn(folders: readonly string[]): Promise<readonly Shipped[]> {
  const found = await Promise.all(
    [...new Set(folders)].map(async (folder) => ({ ...(await manifestOf(folder)), folder })),
  );
  return found.toSorted((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1));
}

const manifestOf = (folder: string): Promise<z.infer<typeof Manifest>> => json(Manifest, `${folder}/package.json`);

/** The folder of the package that a file belongs to. Undefined for a file of ours. */
export function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
}
