import type { CommandStartedEvent, MongoClientOptions } from 'mongodb';

export interface MongodbOptions {
  /** mongodb:// or mongodb+srv://, of a replica set. What it says of read and write concerns does not count: ours do. */
  readonly uri: string;
  readonly database: string;
  /** The API domain: recorded at first start, and another one is refused later. */
  readonly domain: string;
  /** Milliseconds; bounds, so that calls fail instead of hanging while the database is away. */
  readonly timeouts?: Partial<Timeouts>;
  /** Sees every command that is sent. */
  readonly onCommand?: (event: CommandStartedEvent) => void;
}

export interface Timeouts {
  /** To find a server that takes the operation, and to connect to it. */
  readonly selection: number;
  /** For one answer, and for a majority to have a write. */
  readonly answer: number;
  /** To find out whether an append whose answer was lost took place. */
  readonly settle: number;
}

export const TIMEOUTS: Timeouts = { selection: 5000, answer: 10_000, settle: 15_000 };

/** What a URI may say and we decide: weaker concerns would lose acknowledged writes, missing bounds would hang requests. */
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
    // What we read was written from JavaScript strings.
    enableUtf8Validation: false,
  };
}
