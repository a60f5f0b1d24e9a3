import { messageOf } from '../../../pkg/system/errors/message.js';
import { BACKUP_FILES } from './backup-tool.js';
import { foundIn } from './contents.js';
import { type Found, leftOut } from './found.js';
import { type GdgFile, gdgFileOf, gdgFoundIn, isGdgTree, leftOutOfGdg } from './gdg.js';
import { isGrizzly } from './grizzly.js';
import { valuesIn } from './read.js';
import { BY_EXTENSION, NO_DATA, NO_FILE } from './reasons.js';
import type { TreeFile, Walked } from './walk.js';

/** Wrong files that an error names. */
const MOST_NAMED = 20;

/** What is in the files of a tree. Throws one error that names the files that cannot be read, with their lines. */
export function sorted({ files, others }: Walked): readonly Found[] {
  const names = files.map(({ name }) => name);
  const isGdg = isGdgTree(names);
  if (isGdg) refuseTwoOrganizations(files);
  const isPlain = !isGdg && !files.some(({ name }) => Object.hasOwn(BACKUP_FILES, endOf(name)));
  const faults: string[] = [];
  const found = files.flatMap((file) => {
    try {
      return foundInFile(file, isGdg ? gdgFileOf(file.name) : undefined, { names, isPlain });
    } catch (error) {
      faults.push(messageOf(error));
      return [];
    }
  });
  refuse(faults);
  return [...found, ...others.map((name) => leftOut(name, NO_FILE))];
}

interface Tree {
  readonly names: readonly string[];
  /** The folders of the files are those of the dashboards. */
  readonly isPlain: boolean;
}

function foundInFile(file: TreeFile, gdg: GdgFile | undefined, tree: Tree): readonly Found[] {
  const { name } = file;
  const end = endOf(name);
  const reason = (gdg && leftOutOfGdg(gdg, tree.names)) ?? BY_EXTENSION[end];
  if (reason !== undefined) return [leftOut(name, reason)];
  const reader = Object.hasOwn(BACKUP_FILES, end) ? BACKUP_FILES[end] : undefined;
  if (reader === undefined && !['json', 'yaml', 'yml'].includes(end)) return [leftOut(name, NO_DATA)];
  return valuesIn(file).flatMap(({ value, origin }) => {
    if (reader !== undefined) return reader(value, origin);
    if (gdg !== undefined && !isGrizzly(value)) return gdgFoundIn(value, origin, gdg);
    return foundIn(value, { origin, place: tree.isPlain ? { path: name.split('/').slice(0, -1) } : {} });
  });
}

const endOf = (name: string): string => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

function refuseTwoOrganizations(files: readonly TreeFile[]): void {
  const [first, second] = new Set(files.flatMap(({ name }) => gdgFileOf(name)?.organization || []));
  if (second !== undefined)
    throw new Error(`${first} and ${second} are two organizations. Import one of these folders, and then the other.`);
}

function refuse(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const more = faults.length > MOST_NAMED ? [`and ${faults.length - MOST_NAMED} more`] : [];
  const count = faults.length === 1 ? 'One file cannot' : `${faults.length} files cannot`;
  throw new Error([`${count} be read. Nothing was changed.`, ...faults.slice(0, MOST_NAMED), ...more].join('\n'));
}
