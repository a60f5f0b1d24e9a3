import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Revision } from '../../backend.js';

/** A change of the version throws away what earlier versions kept. */
const FORMAT = 2;

/** What is kept in a folder, and up to which revision. */
export interface Manifest {
  /** What the tables depend on beside the store: the program that has extracted the rows. */
  readonly program: string;
  /** All changes up to here are in the tables. */
  readonly revision: Revision;
  /** The newest change that has left anything in them. */
  readonly newest: Revision;
  /** The id of the commit that ends at `newest`. */
  readonly commit?: string | undefined;
  readonly files: readonly KeptFile[];
}

export interface KeptFile {
  readonly name: string;
  /** By resource: the objects that are gone (`BitSet.bytes`), in base64. */
  readonly gone: Readonly<Record<string, string>>;
}

/** Replaces the manifest. It is durable, or the former one still is. */
export async function writeManifest(path: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify({ format: FORMAT, ...manifest });
  const next = `${path}.next`;
  const file = await open(next, 'w', 0o600);
  try {
    await file.writeFile(`${crc32(text)}\n${text}`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(next, path);
  await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `undefined` if there is none, or if it is damaged, or of another format. */
export async function readManifest(path: string): Promise<Manifest | undefined> {
  const content = await readFile(path, 'utf8').catch(() => '');
  const end = content.indexOf('\n');
  const text = content.slice(end + 1);
  if (end < 0 || String(crc32(text)) !== content.slice(0, end)) return undefined;
  const { format, ...manifest } = JSON.parse(text) as Manifest & { readonly format: number };
  return format === FORMAT ? manifest : undefined;
}
