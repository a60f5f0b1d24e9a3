import type { Settings } from '../../../pkg/config/schema.js';
import type { AuditTarget } from '../../../pkg/http/audit/sink.js';
import type { Gather, Render } from '../../../pkg/http/metrics/metrics.js';
import type { Backend } from '../../../storage/backend.js';
import { openBackend, type StoreObserver } from '../storage.js';

/** What a process that serves requests shares with the other workers of its server. */
export interface Host {
  /**
   * Whether this process has the folder of the objects alone, or with other processes of the server. Absent: it keeps
   * objects in memory.
   */
  readonly objects?: 'alone' | 'shared' | undefined;
  /** Whether this process does the work that only one of them must do. */
  readonly isFirst: boolean;
  openBackend(settings: Settings, observer: StoreObserver): Promise<Backend>;
  /** Runs work on the files of the data folder while no other worker does. */
  exclusively<T>(work: () => Promise<T>): Promise<T>;
  /** Where the lines of the audit log go, if not to the output that the settings name. */
  readonly auditTarget?: AuditTarget;
  /** Renders the metrics of all workers. */
  readonly render?: Render;
  /** Gathers other figures of all workers. */
  readonly gather?: Gather;
  /** Tells the operator something at once, whether or not the server then starts. */
  tell(text: string): void;
}

/** The only process of a server. */
export const ALONE: Host = {
  objects: 'alone',
  isFirst: true,
  openBackend,
  exclusively: (work) => work(),
  tell: (text) => void process.stdout.write(text),
};
