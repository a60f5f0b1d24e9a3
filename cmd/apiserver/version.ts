import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

const Package = z.object({ version: z.string() });

/** The version in package.json, which is in a folder above this file, in the source and in the build. */
export function productVersion(): string {
  let folder = new URL('./', import.meta.url);
  while (!existsSync(new URL('package.json', folder)) && folder.pathname !== '/') folder = new URL('../', folder);
  return Package.parse(JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'))).version;
}
