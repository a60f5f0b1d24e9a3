import type { Logger } from 'pino';
import type { Settings } from '../../pkg/config/schema.js';
import { isStorageError } from '../../storage/errors.js';
import { DatabaseMonitor } from '../../storage/mongodb/connection/monitor.js';
import type { Host } from './workers/host.js';

/** What follows from the state of the database. */
export function observation(settings: Settings, log: Logger, host: Host) {
  const monitor = databaseMonitor(settings, log, host);
  return { monitor, onError: errorLog(log, monitor), purgeClock: purgeClock(monitor) };
}

/**
 * Undefined if the store is embedded. All workers see the same database, so only one of them logs what happens to it.
 */
function databaseMonitor({ storage }: Settings, log: Logger, { isFirst }: Host): DatabaseMonitor | undefined {
  if (storage.backend === 'embedded') return undefined;
  if (!isFirst) return new DatabaseMonitor();
  return new DatabaseMonitor({ info: (message) => log.info(message), warn: (message) => log.warn(message) });
}

/** While the database is away, what fails because of that is only counted: the log has a line for the outage. */
export function errorLog(
  log: Pick<Logger, 'error'>,
  monitor: DatabaseMonitor | undefined,
): (error: unknown, what: string) => void {
  return (err, what) => {
    if (monitor?.isUp === false && isUnavailable(err)) monitor.failed(err);
    else log.error({ err }, what);
  };
}

/**
 * Objects whose time a right clock gave must not be removed early because the clock of this server is ahead, or that of
 * the database.
 */
export function purgeClock(monitor: Pick<DatabaseMonitor, 'clockOffset'> | undefined): { now(): number } {
  return { now: () => Date.now() - Math.max(monitor?.clockOffset ?? 0, 0) };
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Error && (isStorageError(error, 'unavailable') || isStorageError(error.cause, 'unavailable'));
}
