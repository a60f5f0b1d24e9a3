import { isAbsolute, join } from 'node:path';

/** Where a program keeps its data and looks for its settings, if nothing names another place. */
export interface Places {
  /** The value of `paths.data` if no source has one. */
  readonly data: string;
  /** The settings file that is read without `--config`, if it is there. */
  readonly settings: string | undefined;
}

/** In a clone of the repository, everything is below the working directory. */
export const IN_CLONE: Places = { data: './data', settings: undefined };

const FOLDER = 'dashboard-apiserver';
const SETTINGS = 'settings.ini';

export interface Account {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isRoot: boolean;
  /** The home folder. It is asked for only when needed, because a user of a container may have none. */
  readonly home: () => string;
}

/**
 * The usual places of an installed program. A service has those that systemd names (StateDirectory= and
 * ConfigurationDirectory= of systemd.exec(5)). Root has those of the system, and other users have those of
 * https://specifications.freedesktop.org/basedir-spec/0.8/.
 */
export function usualPlaces({ env, isRoot, home }: Account): Places {
  const [state, configuration] = [first(env['STATE_DIRECTORY']), first(env['CONFIGURATION_DIRECTORY'])];
  const dataBase = () => (isRoot ? '/var/lib' : (baseOf(env['XDG_DATA_HOME']) ?? join(home(), '.local', 'share')));
  const settingsBase = () => (isRoot ? '/etc' : (baseOf(env['XDG_CONFIG_HOME']) ?? join(home(), '.config')));
  return {
    data: state ?? join(dataBase(), FOLDER),
    settings: join(configuration ?? join(settingsBase(), FOLDER), SETTINGS),
  };
}

/** A path that is not absolute counts as not set, as the specification says. */
const baseOf = (path: string | undefined): string | undefined => (path && isAbsolute(path) ? path : undefined);

/** systemd separates several folders with colons. */
const first = (paths: string | undefined): string | undefined => baseOf(paths?.split(':')[0]);
