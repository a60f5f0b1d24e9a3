import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import { type Config, loadConfig } from '../../pkg/config/load.js';
import { IN_CLONE, type Places, usualPlaces } from '../../pkg/config/places.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of this program. Throws ConfigError. */
export function loadSettings(argv: readonly string[], env: Environment): Config {
  const config = loadConfig({ argv, env, readFile: (path) => readFileSync(path, 'utf8'), places: placesOf(env) });
  return { ...config, warnings: [...config.warnings, ...exposedSecrets(config)] };
}

/** The permission of everybody to read. The operator may have let a group read the file. */
const BY_ALL = 0o004;

function exposedSecrets({ secretsFile }: Config): readonly string[] {
  if (secretsFile === undefined || (statSync(secretsFile).mode & BY_ALL) === 0) return [];
  return [`All users of this machine may read ${secretsFile}, which has secrets: chmod o-r ${secretsFile}`];
}

/**
 * A program that npm has installed has the usual places of the system, and one that runs in a clone has its own folder.
 */
export function placesOf(env: Environment): Places {
  if (!isInstalled(fileURLToPath(import.meta.url))) return IN_CLONE;
  return usualPlaces({ env, isRoot: process.geteuid?.() === 0, home: homedir });
}

/** npm installs packages in folders of this name only. */
export const isInstalled = (path: string): boolean => /[\\/]node_modules[\\/]/.test(path);
