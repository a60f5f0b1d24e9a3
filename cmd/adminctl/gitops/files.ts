import { createHash, randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../../pkg/system/files/make-folder.js';
import { unwritable } from '../../../pkg/system/files/unwritable.js';

/** Most file systems take 255 bytes. */
const LONGEST = 200;
const SUFFIX = '.yaml';
/** The mode of folders, of which the umask of the user leaves a part. */
const FOR_ALL = 0o777;

/**
 * The folder with the files of one kind. It waits for the disk, because an asynchronous write of a small file costs
 * several times as much.
 */
export class ExportFolder {
  readonly #path: string;
  /** The names of the files that were written, as file systems that ignore case compare them. */
  readonly #written = new Map<string, string>();

  constructor(path: string) {
    refuseLink(path);
    this.#path = path;
  }

  /** Writes the file of an object, unless it is there with this text. */
  write(name: string, text: string): void {
    if (this.#written.size === 0) this.#make();
    const file = this.#fileOf(name);
    this.#written.set(file.toLowerCase(), file);
    const path = join(this.#path, file);
    refuseLink(path);
    const isSame = existsSync(path) && readFileSync(path, 'utf8') === text;
    if (!isSame) replace(path, text);
  }

  #make(): void {
    makeManifestFolder(this.#path);
  }

  /** The files of objects that are not there any more. */
  stale(): readonly string[] {
    const files = existsSync(this.#path) ? readdirSync(this.#path) : [];
    return files
      .filter((file) => file.endsWith(SUFFIX) && this.#written.get(file.toLowerCase()) !== file)
      .map((file) => join(this.#path, file));
  }

  #fileOf(name: string): string {
    return fileNameOf(name, (file) => this.#written.has(file.toLowerCase()));
  }
}

/** Makes a folder that everybody may read as far as the umask of the user allows. */
export function makeManifestFolder(path: string): void {
  try {
    makeFolder(path, FOR_ALL);
  } catch (error) {
    throw unwritable(path, error);
  }
}

/** The name without what a file or a folder cannot have. */
export function escapedName(name: string): string {
  return encodeURIComponent(name).replace(/[*.]/g, (char, at) =>
    char === '.' && at > 0 ? char : `%${char.charCodeAt(0).toString(16)}`,
  );
}

/**
 * The name of the file of an object. Names that a file cannot have are escaped. If another object has the same name in
 * other case, the name gets a number.
 */
export function fileNameOf(name: string, isTaken: (file: string) => boolean): string {
  const escaped = escapedName(name);
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8);
  const short = escaped.length <= LONGEST ? escaped : `${escaped.slice(0, LONGEST)}-${hash}`;
  return `${short}${isTaken(`${short}${SUFFIX}`) ? `-${hash}` : ''}${SUFFIX}`;
}

/** Writes the whole file or nothing. What was there stays if the disk is full, or if the command is killed. */
export function replace(path: string, text: string): void {
  const partial = `${path}.${randomBytes(6).toString('hex')}.partial`;
  try {
    writeFileSync(partial, text, { flag: 'wx' });
    renameSync(partial, path);
  } catch (error) {
    rmSync(partial, { force: true });
    throw unwritable(path, error);
  }
}

/** A repository may come from somebody else. A link in it could make this write or remove files in another place. */
export function refuseLink(path: string): void {
  if (!isLink(path)) return;
  throw new Error(`${path} is a link. Remove it, because this command writes no files elsewhere.`);
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  } catch (error) {
    throw unwritable(path, error);
  }
}

export function removeAll(paths: readonly string[]): void {
  for (const path of paths) rmSync(path);
}
