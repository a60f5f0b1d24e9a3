import type { Settings } from './schema.js';

type Storage = Pick<Settings['storage'], 'mongodb_uri' | 'mongodb_database'>;

const DATABASE = 'apiserver';
/** Everything before the last @ may be part of a password, even of one that is not escaped. */
const PATH = /^mongodb(?:\+srv)?:\/\/(?:.*@)?[^/?]*\/([^?]+)/s;
/** In these databases MongoDB keeps its own data. Many URIs name `admin`, because the user is there. */
const OF_MONGODB = new Set(['admin', 'local', 'config']);

/** The database that the path of a URI names for data. */
export function databaseIn(uri: string): string | undefined {
  const path = PATH.exec(uri)?.[1];
  if (path === undefined || OF_MONGODB.has(path)) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/** The setting counts, then the path of the URI. */
export function databaseOf({ mongodb_uri = '', mongodb_database }: Storage): string {
  return mongodb_database ?? databaseIn(mongodb_uri) ?? DATABASE;
}

/** The database of earlier versions, which did not use the path of the URI. Undefined if they used the same. */
export function formerDatabaseOf(storage: Storage): string | undefined {
  return storage.mongodb_database === undefined && databaseOf(storage) !== DATABASE ? DATABASE : undefined;
}

/** What to tell the operator if both name a database, and not the same. */
export function databaseWarning({ mongodb_uri = '', mongodb_database }: Storage): string | undefined {
  const named = databaseIn(mongodb_uri);
  if (mongodb_database === undefined || named === undefined || named === mongodb_database) return undefined;
  return `storage.mongodb_uri names the database ${named}, but storage.mongodb_database is ${mongodb_database}, which is used. Let both name the same.`;
}
