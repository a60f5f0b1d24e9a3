import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifestText, type Writable } from './exported.js';
import { escapedName, fileNameOf, makeManifestFolder, refuseLink, replace } from './files.js';
import { MadeFiles } from './made-files.js';

export interface WriteOptions {
  /** Files that somebody else made, or has changed since, are written over. Absent: they are an error. */
  readonly overwrite?: boolean;
  /** Nothing is written, and the outcome is what would be. */
  readonly dryRun?: boolean;
}

/** What a write did to the files. */
export interface Written {
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  /** Files of an earlier run whose objects are not there any more. They stay. */
  readonly stale: readonly string[];
}

interface ManifestFile {
  /** Below the folder: `dashboards/latency.yaml`. */
  readonly name: string;
  readonly path: string;
  readonly text: string;
}

/**
 * Writes one manifest for each object: `FOLDER/dashboards/NAME.yaml`, below a folder with the name of the namespace if
 * the object names one. These are the files that an export of the same objects writes. It writes all of them or, if a
 * file is there that no import made, none. Equal objects give equal files, and a second run changes nothing.
 */
export function writeManifests(folder: string, objects: readonly Writable[], options: WriteOptions = {}): Written {
  refuseLink(folder);
  const made = new MadeFiles(folder);
  const files = filesFor(folder, objects);
  for (const { path } of files) refuseParents(folder, path);
  const before = files.map(({ path }) => (existsSync(path) ? readFileSync(path, 'utf8') : undefined));
  const foreign = files.filter(({ name, text }, i) => isForeign(made, name, before[i], text));
  if (foreign.length > 0 && options.overwrite !== true) throw notMade(foreign);
  const names = new Set(files.map(({ name }) => name));
  const stale = made.names.filter((name) => !names.has(name) && existsSync(join(folder, name)));
  if (options.dryRun !== true) write(folder, files, before, made);
  const created = before.filter((text) => text === undefined).length;
  const unchanged = files.filter(({ text }, i) => text === before[i]).length;
  return { created, changed: files.length - created - unchanged, unchanged, stale };
}

/** In the order of the names, so that names that differ only in case get the same files each time. */
function filesFor(folder: string, objects: readonly Writable[]): readonly ManifestFile[] {
  const taken = new Set<string>();
  const inOrder = objects.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  return inOrder.map((object) => {
    const { kind, metadata } = object;
    const parent = [...(metadata.namespace === undefined ? [] : [escapedName(metadata.namespace)]), plural(kind)];
    const nameOf = (file: string): string => [...parent, file].join('/');
    const name = nameOf(fileNameOf(metadata.name, (file) => taken.has(nameOf(file).toLowerCase())));
    taken.add(name.toLowerCase());
    return { name, path: join(folder, name), text: manifestText(object) };
  });
}

const keyOf = ({ kind, metadata }: Writable): string => [metadata.namespace ?? '', kind, metadata.name].join('\0');

/** The plural of a kind, by the rule that all kinds of the server follow. */
export function plural(kind: string): string {
  const name = kind.toLowerCase();
  if (name.endsWith('s')) return name;
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`;
}

/** A link in the folder could make this write in another place. */
function refuseParents(folder: string, path: string): void {
  for (let at = path; at !== folder && at !== dirname(at); at = dirname(at)) refuseLink(at);
}

function isForeign(made: MadeFiles, name: string, before: string | undefined, text: string): boolean {
  return before !== undefined && before !== text && !made.isAsMade(name, digestOf(before));
}

function notMade(foreign: readonly ManifestFile[]): Error {
  const some = foreign.slice(0, 5).map(({ path }) => path);
  const more = foreign.length > some.length ? ` and ${foreign.length - some.length} more` : '';
  return new Error(
    `${some.join(', ')}${more}: no import made these files, or somebody has changed them since. Nothing was written. Move them away, or add --overwrite.`,
  );
}

function write(
  folder: string,
  files: readonly ManifestFile[],
  before: readonly (string | undefined)[],
  made: MadeFiles,
): void {
  makeManifestFolder(folder);
  for (const parent of new Set(files.map(({ path }) => dirname(path)))) makeManifestFolder(parent);
  for (const [i, { path, text }] of files.entries()) if (text !== before[i]) replace(path, text);
  // Last, so that after a crash the files that are still the old ones count as made.
  made.write(new Map(files.map(({ name, text }) => [name, digestOf(text)])));
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');
