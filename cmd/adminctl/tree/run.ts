import { statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { printable } from '../../../pkg/system/text/printable.js';
import { type Connection, connect } from '../gitops/connection.js';
import type { Writable } from '../gitops/exported.js';
import { importFrom, objectsIn } from '../gitops/import.js';
import type { ImportOptions } from '../gitops/import-options.js';
import { servedKinds } from '../gitops/kinds.js';
import { targetOf } from '../gitops/kubeconfig.js';
import { writeManifests } from '../gitops/manifest-folder.js';
import type { Terminal } from '../terminal.js';
import { UsageError } from '../usage.js';
import type { Found } from './found.js';
import { objectsOf, type TreeObjects } from './objects.js';
import { NOBODY, type People, peopleOf } from './people.js';
import { reportFiles } from './report-files.js';
import { sorted } from './sort.js';
import { store } from './store.js';
import { walk } from './walk.js';

const DONE = 0;

/** Prints, writes or stores what is in files or in a folder. Returns the exit code. Throws errors for people. */
export async function runImport(options: ImportOptions, terminal: Terminal): Promise<number> {
  const [folder, ...more] = options.files;
  if (folder === undefined || !options.files.some(isFolder)) return importFiles(options, terminal);
  if (more.length > 0) throw new UsageError('Give one folder, or only files.');
  if (options.to !== undefined) return writeTree(folder, options.to, options, terminal);
  const target = targetOf({ path: options.kubeconfig, context: options.context, env: terminal.env });
  const connection = connect(target);
  try {
    const namespace = options.namespace ?? target.namespace ?? 'default';
    return await storeTree(connection, { ...options, folder: options.folder, path: folder, namespace }, terminal);
  } finally {
    connection.close();
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

function importFiles(options: ImportOptions, terminal: Terminal): number {
  if (options.to === undefined) {
    const flag = options.dryRun ? '--dry-run' : options.force ? '--force' : undefined;
    if (flag !== undefined)
      throw new UsageError(`${flag} is for a folder or for --to: the manifests of files are printed.`);
    importFrom(options, terminal);
  } else
    reportFiles(
      writeManifests(options.to, objectsIn(options, terminal), options),
      options.to,
      options.dryRun,
      terminal,
    );
  return DONE;
}

/** Writes the manifests of a tree. It talks to no server. */
function writeTree(path: string, to: string, options: ImportOptions, terminal: Terminal): number {
  refuseInside(path, to);
  const tree = made(path, sorted(walk(path)), options, NOBODY, terminal);
  const objects = tree.objects.map(({ manifest }): Writable => manifest as Writable);
  const written = writeManifests(to, objects, options);
  reportLeftOut(tree, terminal);
  reportFiles(written, to, options.dryRun, terminal);
  return DONE;
}

/** The next import would read what this one writes. */
function refuseInside(path: string, to: string): void {
  const way = relative(resolve(path), resolve(to));
  if (way.startsWith('..')) return;
  throw new UsageError(`${to} lies in ${path}. Name a folder outside of it with --to.`);
}

export interface StoreOptions extends Omit<ImportOptions, 'files' | 'to' | 'namespace' | 'domain'> {
  readonly path: string;
  readonly namespace: string;
}

/** Stores a tree in a server. */
export async function storeTree(connection: Connection, options: StoreOptions, terminal: Terminal): Promise<number> {
  const found = sorted(walk(options.path));
  const served = await servedKinds(connection);
  const isAboutPeople = found.some(({ what }) => ['permissions', 'team', 'member'].includes(what));
  const people = isAboutPeople ? await peopleOf(connection, served, options.namespace) : NOBODY;
  const tree = made(options.path, found, { ...options, domain: served.domain }, people, terminal);
  const code = await store(connection, { applySet: 'import', ...options }, tree.objects, terminal);
  reportLeftOut(tree, terminal);
  return code;
}

type Making = Parameters<typeof objectsOf>[1];

function made(path: string, found: readonly Found[], options: Making, people: People, terminal: Terminal): TreeObjects {
  const tree = objectsOf(found, options, people);
  if (tree.objects.length === 0) {
    reportLeftOut(tree, terminal);
    throw new Error(`There is nothing to import in ${path}.`);
  }
  for (const text of tree.warnings) terminal.err.write(`Warning: ${printable(text)}\n`);
  return tree;
}

/** What did not come along, row by row. */
function reportLeftOut({ leftOut }: TreeObjects, { out }: Terminal): void {
  const rows = leftOut.map(({ origin, reason }) => `left out: ${printable(`${origin}: ${reason}`)}\n`);
  out.write(rows.toSorted().join(''));
  if (rows.length > 0) out.write(`left out ${rows.length}\n`);
}
