import type { Logger } from 'pino';
import type { Settings } from '../../pkg/config/schema.js';
import { Budget } from '../../pkg/http/flowcontrol/budget.js';
import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import type { WriteLimits } from '../../registry/kinds/write-limits.js';
import type { Backend } from '../../storage/backend.js';
import { DiskReserve, type DiskReserveOptions } from '../../storage/reserve.js';

export interface WriteSettings extends Pick<WriteLimits, 'onRefused' | 'objectBytes' | 'personalBytes'> {
  readonly budget: { readonly burst: number; readonly perSecond: number };
  readonly reserve: DiskReserveOptions;
  /** The most bytes of history to keep. */
  readonly historyBytes: number;
}

/** Milliseconds between two looks at the disk. A shared store is asked over the network. */
const LOOK_EVERY = { own: 1000, shared: 5000 };

/** How much of the reserve the history may have while the disk is short of space. */
const HISTORY_OF_RESERVE = 1 / 4;

export interface OpenedWriteLimits {
  readonly limits: WriteLimits;
  readonly disk: DiskReserve;
  /**
   * While the disk is short of space, little history is kept. So deletions write to what it had, and the file of an
   * embedded store does not grow.
   */
  historyBytes(): number;
}

/** Call `start` of the disk, and `close` after the last write. */
export function openWriteLimits(
  backend: Backend,
  { budget, reserve, historyBytes: most, onRefused, objectBytes, personalBytes }: WriteSettings,
): OpenedWriteLimits {
  const period = backend.shared ? LOOK_EVERY.shared : LOOK_EVERY.own;
  const disk = new DiskReserve(backend, { period, ...reserve });
  return {
    disk,
    limits: { budget: new Budget(budget), disk, onRefused, objectBytes, personalBytes },
    historyBytes: () => (disk.shortage() === undefined ? most : Math.min(most, disk.bytes * HISTORY_OF_RESERVE)),
  };
}

/** An object may be as large as this many bodies. It has what several requests wrote, and metadata that no body has. */
const BODIES_OF_AN_OBJECT = 2;

/** What the settings say. Each refusal is counted. */
export function writeSettings({ limits, storage }: Settings, metrics: Metrics, log: Logger): WriteSettings {
  return {
    budget: { burst: limits.write_burst, perSecond: limits.write_rate },
    reserve: {
      bytes: storage.reserve,
      onChange: (shortage) => {
        if (shortage === undefined) log.info('the disk of the store has enough free space again');
        else log.error(`${shortage}; other writes are refused`);
      },
      onSmall: (size) =>
        log.warn(
          `the disk of the store has ${size} MiB: when it is full, deletions may find no room to begin with. Use a disk of at least 100 MiB`,
        ),
      onError: (err) => log.debug({ err }, 'the store does not tell its free space'),
    },
    historyBytes: storage.history_bytes,
    objectBytes: BODIES_OF_AN_OBJECT * limits.body_bytes,
    personalBytes: limits.personal_bytes,
    onRefused: (reason) => metrics.flows.rejected('write', reason),
  };
}
