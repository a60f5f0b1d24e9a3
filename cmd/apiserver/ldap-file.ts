import { readFileSync, statSync } from 'node:fs';
import { ConfigError } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import { type GivenValues, givenValues } from '../../pkg/config/sign-on.js';
import { LdapFileError, parseLdapFile } from '../../pkg/identity/ldap/toml.js';
import { messageOf } from '../../pkg/system/errors/message.js';

/** The settings `[auth.ldap]`, with the servers of their file. */
export interface LdapFile {
  /** The same object until the file changes. A file that has become wrong leaves them as they were. */
  values(): GivenValues;
  /** Reads the file now. Throws ConfigError. */
  reload(): void;
}

/** Milliseconds in which the file is looked at once. */
const PAUSE = 5000;

export function ldapFile(section: Settings['auth']['ldap'], now: () => number = Date.now): LdapFile {
  const { config_file: path } = section as { readonly config_file?: string };
  let values = givenValues(section);
  if (path === undefined || path === '') return { values: () => values, reload: () => undefined };
  let [lookedAt, version] = [Number.NEGATIVE_INFINITY, ''];
  const reload = (): void => {
    lookedAt = now();
    version = versionOf(path);
    values = { ...values, config: read(path) };
  };
  const reloadIfChanged = (): void => {
    if (now() < lookedAt + PAUSE) return;
    lookedAt = now();
    if (versionOf(path) === version) return;
    try {
      reload();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
  };
  return {
    values: () => {
      reloadIfChanged();
      return values;
    },
    reload,
  };
}

function versionOf(path: string): string {
  try {
    const { mtimeMs, size, ino } = statSync(path);
    return `${mtimeMs} ${size} ${ino}`;
  } catch {
    return '';
  }
}

function read(path: string): GivenValues['config'] & object {
  const readFile = (name: string): string => readFileSync(name, 'utf8');
  try {
    return parseLdapFile(readFile(path), { env: process.env, readFile });
  } catch (error) {
    const why = error instanceof LdapFileError ? error.message : messageOf(error);
    throw new ConfigError([`auth.ldap.config_file: ${path}: ${why}.`]);
  }
}
