/**
 * Writes sbom.cdx.json: the packages that are in the archive and those that npm installs with it, in CycloneDX
 * (https://cyclonedx.org). Run it after `npm run build`. Equal packages give an equal file.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';
import { bundledPackages } from './shipped.js';

const Component = z.looseObject({ name: z.string(), version: z.string(), 'bom-ref': z.string() });
const Sbom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ 'bom-ref': z.string() }) }),
  components: z.array(Component),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});
const Own = z.object({ optionalDependencies: z.record(z.string(), z.string()) });

/** npm knows all packages of the lock. Most of them are only for the work on the product. */
const { stdout } = await promisify(execFile)('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  maxBuffer: 64 * 1024 * 1024,
});
const all = Sbom.parse(JSON.parse(stdout));
const { optionalDependencies } = Own.parse(JSON.parse(await readFile('package.json', 'utf8')));
const shipped = new Set([
  ...(await bundledPackages()).map(({ name, version }) => `${name}@${version}`),
  ...Object.entries(optionalDependencies).map(([name, version]) => `${name}@${version}`),
]);
const components = all.components.filter(({ name, version }) => shipped.has(`${name}@${version}`)).map(withoutHosts);
const root = all.metadata.component['bom-ref'];
const kept = new Set([root, ...components.map((component) => component['bom-ref'])]);
const dependencies = all.dependencies
  .filter(({ ref }) => kept.has(ref))
  .map(({ ref, dependsOn }) => ({
    ref,
    dependsOn: ref === root ? [...kept].filter((one) => one !== root) : dependsOn.filter((one) => kept.has(one)),
  }));
const { timestamp: _, ...metadata } = all.metadata;
const content = { ...all, metadata, components, dependencies };
const hash = createHash('sha256')
  .update(JSON.stringify({ ...content, serialNumber: undefined }))
  .digest('hex');
const uuid = hash.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5');
await writeFile('sbom.cdx.json', `${JSON.stringify({ ...content, serialNumber: `urn:uuid:${uuid}` }, undefined, 2)}\n`);

/** Leaves out the addresses from which npm fetched a package. */
function withoutHosts(component: z.infer<typeof Component>): z.infer<typeof Component> {
  const { externalReferences: _, ...rest } = component;
  return rest;
}
