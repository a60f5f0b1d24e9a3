import type { CommandStartedEvent, MongoClientOptions } from 'mongodb';
import type { DatabaseMonitor } from './monitor.js';

export interface MongodbOptions {
  /** The mongodb:// or mongodb+srv:// URI of a replica set. Its read and write concerns are ignored. */
  readonly uri: string;
  readonly database: string;
  /** The API domain. It is stored at the first start; another one is refused later. */
  readonly domain: string;
  /** In milliseconds. With timeouts, calls fail instead of hanging while the database is unavailable. */
  readonly timeouts?: Partial<Timeouts>;
  /** Tells the operator what is not as it should be. */
  readonly warn?: (message: string) => void;
  /** Learns what an operator must know of the database while the store is open. */
  readonly monitor?: DatabaseMonitor;
  /** If `database` has no data, but this one has data of the same domain, the store is refused. */
  readonly former?: string | undefined;
  /** Called for every command that is sent. */
  readonly onCommand?: (event: CommandStartedEvent) => void;
}

/** All times are milliseconds. */
export interface Timeouts {
  /** To find a suitable server and connect to it. */
  readonly selection: number;
  /** For one answer, and for a majority to acknowledge a write. */
  readonly answer: number;
  /** To find out whether an append whose answer was lost took place. */
  readonly settle: number;
  /** Until the changes of other servers are no longer streamed, if there is no other server. */
  readonly alone: number;
  /** Until a database that was set back counts as complete, after the last document that came. */
  readonly complete: number;
}

export const TIMEOUTS: Timeouts = { selection: 5000, answer: 10_000, settle: 15_000, alone: 10_000, complete: 5000 };

/**
 * Options that the server sets itself: weaker concerns could lose acknowledged writes, and requests without timeouts
 * could hang.
 */
const OURS = new Set([
  ...['w', 'j', 'journal', 'fsync', 'wtimeout', 'wtimeoutms', 'retrywrites', 'retryreads'],
  ...['readconcernlevel', 'readpreference', 'readpreferencetags', 'maxstalenessseconds'],
  ...['timeoutms', 'sockettimeoutms', 'connecttimeoutms', 'serverselectiontimeoutms', 'waitqueuetimeoutms'],
  ...['heartbeatfrequencyms', 'maxadaptiveretries'],
]);

export function withoutOurs(uri: string): string {
  const mark = markOf(uri);
  if (mark < 0) return uri;
  const kept = partsOf(uri).filter((part) => !OURS.has(nameOf(part).toLowerCase()));
  return `${uri.slice(0, mark)}?${kept.join('&')}`;
}

/** What the URI has and the server does not use. `source` says where the URI is from. */
export function uriWarnings(uri: string, source = 'storage.mongodb_uri'): readonly string[] {
  const ignored = partsOf(uri)
    .map(nameOf)
    .filter((name) => OURS.has(name.toLowerCase()));
  const warnings: string[] = [];
  if (ignored.length > 0)
    warnings.push(`${source}: ${ignored.join(', ')}: ignored, because the server sets this itself.`);
  if (poolSizeIn(uri) < LEAST_POOL)
    warnings.push(`${source}: maxPoolSize: ${LEAST_POOL} are used, because the server needs as many connections.`);
  return warnings;
}

/** A change stream and a heartbeat must not keep a commit waiting. */
const LEAST_POOL = 5;

function poolSizeIn(uri: string): number {
  const given = partsOf(uri).find((part) => nameOf(part).toLowerCase() === 'maxpoolsize');
  const size = Number(given?.split('=')[1] ?? LEAST_POOL);
  // 0 is without a limit. What is no number is refused by the driver.
  return size > 0 ? size : LEAST_POOL;
}

/** A password may contain a question mark, if it is not escaped. */
const markOf = (uri: string): number => uri.indexOf('?', uri.lastIndexOf('@') + 1);

function partsOf(uri: string): readonly string[] {
  const mark = markOf(uri);
  return mark < 0
    ? []
    : uri
        .slice(mark + 1)
        .split('&')
        .filter((part) => part !== '');
}

const nameOf = (part: string): string => part.split('=')[0] ?? '';

/** Why the user or the password of a URI cannot be read. Undefined if that is not the fault. */
export function credentialProblem(uri: string): string | undefined {
  const at = uri.lastIndexOf('@');
  const credentials = at < 0 ? '' : uri.slice(uri.indexOf('://') + 3, at);
  const isWrong = /[/?#[\]@]|:.*:|%(?![0-9a-f]{2})/is.test(credentials);
  return isWrong
    ? 'the user or the password has characters that must be percent-encoded, such as : / ? # [ ] @ % (%3A %2F %3F %23 %5B %5D %40 %25).'
    : undefined;
}

/** The URI may name the application, and a larger pool of connections. */
export function clientOptions({ selection, answer }: Timeouts, uri: string = ''): MongoClientOptions {
  const names = partsOf(uri).map((part) => nameOf(part).toLowerCase());
  return {
    ...(!names.includes('appname') && { appName: 'dashboard-apiserver' }),
    ...(poolSizeIn(uri) < LEAST_POOL && { maxPoolSize: LEAST_POOL }),
    serverSelectionTimeoutMS: selection,
    connectTimeoutMS: selection,
    waitQueueTimeoutMS: selection,
    socketTimeoutMS: answer,
    heartbeatFrequencyMS: 2000,
    retryReads: true,
    retryWrites: true,
    readPreference: 'primary',
    readConcern: { level: 'majority' },
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: answer },
    // All texts were written from JavaScript strings.
    enableUtf8Validation: false,
  };
}
