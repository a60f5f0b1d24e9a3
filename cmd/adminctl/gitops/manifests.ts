import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { groupOf } from '../../../pkg/kube/meta/api-version.js';
import { messageOf } from '../../../pkg/system/errors/message.js';
import { yieldToLoop } from '../../../pkg/system/yielding/yielding.js';
import { type Located, manifestsOf } from './documents.js';

const MANIFEST = /\.(?:ya?ml|json)$/i;
const KUSTOMIZATION = /^(?:kustomization\.ya?ml|Kustomization)$/;
/** Bytes of all manifests. The server takes much less in one request. */
const MOST = 256 * 1024 * 1024;

/** After this many files, the progress is shown. */
const STRETCH = 100;

export type Progress = (done: number, total: number) => void;

/** Reads the manifests of a folder, of a file, or of the standard input (`-`). Throws errors that name the file. */
export async function readManifests(path: string, input: Readable, progress: Progress): Promise<readonly Located[]> {
  const manifests = path === '-' ? manifestsOf(await textOf(input), 'the standard input') : await below(path, progress);
  checkUnique(manifests);
  return manifests;
}

async function textOf(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    size += (chunk as Buffer).length;
    if (size > MOST) throw tooLarge();
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

async function below(path: string, progress: Progress): Promise<readonly Located[]> {
  const { isFolder, names } = await entriesOf(path);
  if (isFolder && names.some((name) => KUSTOMIZATION.test(name))) {
    return manifestsOf(await kustomized(path), `the output of kubectl kustomize ${path}`);
  }
  const files = isFolder ? (await filesBelow(path, await realpath(path))).toSorted() : [path];
  const manifests: Located[] = [];
  let size = 0;
  for (const [i, file] of files.entries()) {
    if (i % STRETCH === 0) {
      progress(i, files.length);
      await yieldToLoop();
    }
    // A repository has many small files, and each asynchronous read costs more than the file.
    const text = readFileSync(file, 'utf8');
    size += text.length;
    if (size > MOST) throw tooLarge();
    for (const located of manifestsOf(text, isFolder ? relative(path, file) : file)) manifests.push(located);
  }
  progress(files.length, files.length);
  return manifests;
}

async function entriesOf(path: string): Promise<{ readonly isFolder: boolean; readonly names: readonly string[] }> {
  try {
    const isFolder = (await stat(path)).isDirectory();
    return { isFolder, names: isFolder ? await readdir(path) : [] };
  } catch (cause) {
    throw new Error(`${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/**
 * Folders that are hidden or links are left out, as are files of other names. Links to files in the root are followed,
 * because mounted volumes have them.
 */
async function filesBelow(folder: string, root: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const files: string[] = [];
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name.startsWith('.')) continue;
    if (KUSTOMIZATION.test(entry.name))
      throw new Error(`${path} is for kustomize. Sync the folder ${folder} by itself.`);
    if (entry.isDirectory()) files.push(...(await filesBelow(path, root)));
    else if (MANIFEST.test(entry.name) && (entry.isFile() || (await isLinkToFile(path, root)))) files.push(path);
  }
  return files;
}

/**
 * Throws for a link out of the root: a repository of somebody else could otherwise have the files of this user sent to
 * a server.
 */
async function isLinkToFile(path: string, root: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false;
  if ((await realpath(path)).startsWith(root + sep)) return true;
  throw new Error(`${path} is a link to a file that is not below ${root}. Copy the file there.`);
}

/** Builds a kustomization with kubectl, which brings kustomize. */
async function kustomized(folder: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)('kubectl', ['kustomize', folder], { maxBuffer: MOST });
    return stdout;
  } catch (error) {
    const { code, stderr } = error as { readonly code?: unknown; readonly stderr?: string };
    const isMissing = code === 'ENOENT';
    const why = isMissing
      ? `${basename(folder)} has a kustomization, but there is no kubectl on PATH to build it. Install kubectl, or give the output of kustomize on the standard input (-).`
      : `kubectl kustomize ${folder} failed: ${stderr?.trim() || messageOf(error)}`;
    throw new Error(why, { cause: error });
  }
}

const tooLarge = (): Error => new Error(`There are more than ${MOST / 1024 / 1024} MiB of manifests.`);

function checkUnique(found: readonly Located[]): void {
  const origins = new Map<string, string>();
  for (const { manifest, origin } of found) {
    const { apiVersion, kind, metadata } = manifest;
    const key = [groupOf(apiVersion), kind, metadata.namespace ?? '', metadata.name].join('\0');
    const before = origins.get(key);
    if (before !== undefined) {
      throw new Error(`${kind} ${JSON.stringify(metadata.name)} is there twice: ${before} and ${origin}`);
    }
    origins.set(key, origin);
  }
}
