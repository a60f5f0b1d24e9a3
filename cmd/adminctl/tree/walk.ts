import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { messageOf } from '../../../pkg/system/errors/message.js';

export interface TreeFile {
  readonly path: string;
  /** Below the folder, with `/`. */
  readonly name: string;
}

export interface Walked {
  readonly files: readonly TreeFile[];
  /** What is no file: links to folders, pipes, devices. */
  readonly others: readonly string[];
}

export interface TreeLimits {
  readonly files: number;
  readonly depth: number;
  /** Bytes of one file. */
  readonly fileBytes: number;
  readonly bytes: number;
}

const MIB = 2 ** 20;
export const TREE_LIMITS: TreeLimits = { files: 100_000, depth: 32, fileBytes: 32 * MIB, bytes: 512 * MIB };

/**
 * The files below a folder, in the order of their names. Hidden files and folders are left out. Throws for links out
 * of the folder and for what is beyond the limits, because a backup may come from somebody else.
 */
export function walk(folder: string, limits: TreeLimits = TREE_LIMITS): Walked {
  const files: TreeFile[] = [];
  const others: string[] = [];
  const root = realpathSync(folder);
  let bytes = 0;
  const visit = (name: string, depth: number): void => {
    if (depth > limits.depth) throw new Error(`${join(folder, name)} lies more than ${limits.depth} folders deep.`);
    for (const entry of readdirSync(join(root, name), { withFileTypes: true }).toSorted(byName)) {
      if (entry.name.startsWith('.')) continue;
      const below = name === '' ? entry.name : `${name}/${entry.name}`;
      const path = join(root, below);
      if (entry.isSymbolicLink()) refuseLinkOut(path, root);
      if (entry.isDirectory()) visit(below, depth + 1);
      else if (!(entry.isFile() || (entry.isSymbolicLink() && statSync(path).isFile()))) others.push(below);
      else {
        files.push({ path, name: below });
        bytes += sizeOf(path, limits);
        if (files.length > limits.files) throw new Error(`${folder} has more than ${limits.files} files.`);
        if (bytes > limits.bytes) throw new Error(`${folder} has more than ${limits.bytes / MIB} MiB of files.`);
      }
    }
  };
  visit('', 0);
  return { files, others };
}

const byName = (a: { readonly name: string }, b: { readonly name: string }): number => (a.name < b.name ? -1 : 1);

function sizeOf(path: string, { fileBytes }: TreeLimits): number {
  const { size } = statSync(path);
  if (size > fileBytes) throw new Error(`${path} has more than ${fileBytes / MIB} MiB.`);
  return size;
}

function refuseLinkOut(path: string, root: string): void {
  if (targetOf(path).startsWith(root + sep)) return;
  throw new Error(`${path} is a link to what is not below ${root}. Copy the file there.`);
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (cause) {
    throw new Error(`${path} is a link that leads nowhere: ${messageOf(cause)}`, { cause });
  }
}

/** The most characters of a uid. */
const LONGEST = 40;

/**
 * The uid of an object whose file has none. It depends only on the path, so that each import gives the same. A path
 * that loses something in it gets a number.
 */
export function uidOfPath(path: string): string {
  const slug =
    path
      .toLowerCase()
      .match(/[a-z0-9]+/g)
      ?.join('-') ?? '';
  if (slug === path.toLowerCase().replaceAll('/', '-') && slug.length <= LONGEST) return slug;
  const hash = createHash('sha256').update(path).digest('hex').slice(0, 8);
  return [slug.slice(0, LONGEST - hash.length - 1), hash].filter(Boolean).join('-');
}
