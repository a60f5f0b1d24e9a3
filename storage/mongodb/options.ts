import type { CommandStartedEvent, MongoClientOptions } from 'mongodb';

export interface MongodbOptions {
  /** The mongodb:// or mongodb+srv:// URI of a replica set. Its read and write concerns are ignored. */
  readonly uri: string;
  readonly database: string;
  /** The API domain. It is stored at the first start; another one is refused later. */
  readonly domain: string;
  /** In milliseconds. With timeouts, calls fail instead of hanging while the database is unavailable. */
  readonly timeouts?: Partial<Timeouts>;
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
}

export const TIMEOUTS: Timeouts = { selection: 5000, answer: 10_000, settle: 15_000, alone: 10_000 };

/** Options that the server sets itself: weaker concerns could lose acknowledged writes, and requests without timeouts could hang. */
const OURS = new Set([
  ...['w', 'j', 'journal', 'fsync', 'wtimeout', 'wtimeoutms', 'retrywrites', 'retryreads'],
  ...['readconcernlevel', 'readpreference', 'readpreferencetags', 'maxstalenessseconds'],
  ...['timeoutms', 'sockettimeoutms', 'connecttimeoutms', 'serverselectiontimeoutms', 'waitqueuetimeoutms'],
  ...['heartbeatfrequencyms', 'maxadaptiveretries'],
]);

export function withoutOurs(uri: string): string {
  const mark = uri.indexOf('?');
  if (mark < 0) return uri;
  const kept = uri
    .slice(mark + 1)
    .split('&')
    .filter((part) => !OURS.has((part.split('=')[0] ?? '').toLowerCase()));
  return `${uri.slice(0, mark)}?${kept.join('&')}`;
}

export function clientOptions({ selection, answer }: Timeouts): MongoClientOptions {
  return {
    appName: 'dashboard-apiserver',
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
