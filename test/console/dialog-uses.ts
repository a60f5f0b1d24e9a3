import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../e2e/process.js';

const CLIENT = join(ROOT, 'pkg', 'console', 'client');
/** A component that is a dialog, or a function that asks by one. */
const USE =
  /<(?:[dD]ialog|FormDialog|FolderForm|SecretDialog)\b|(?<![.\w]|async )(?:confirm|sure|propose|proposeWrite)\(/;
const FUNCTION = /^(?:export )?(?:async )?function (\w+)/;
/**
 * What other dialogs are made of, the question that all forms ask (dialogs.test.ts), and the cover over the page of
 * another person, which nobody can close.
 */
const PARTS = [
  'Dialog',
  'Cover',
  'Confirmation',
  'FormDialog',
  'SecretDialog',
  'FolderForm',
  'sure',
  'propose',
  'proposeWrite',
  'discarding',
];

/** All functions of the console that show a dialog, such as `people/teams/edit EditTeam`. */
export async function dialogUses(): Promise<readonly string[]> {
  const files = (await readdir(CLIENT, { recursive: true })).filter((file) => /\.tsx?$/.test(file)).sort();
  const found: string[] = [];
  for (const file of files) {
    const name = file.replace(/^pages\//, '').replace(/\.tsx?$/, '');
    found.push(...usersIn(await readFile(join(CLIENT, file), 'utf8')).map((user) => `${name} ${user}`));
  }
  return [...new Set(found)].sort();
}

function usersIn(source: string): readonly string[] {
  let current = '';
  return source.split('\n').flatMap((line) => {
    const [, begun] = FUNCTION.exec(line) ?? [];
    if (begun !== undefined) current = begun;
    return begun === undefined && USE.test(line) && !PARTS.includes(current) ? [current] : [];
  });
}
