import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Engine, EngineObserver } from '../../storage/engine/engine.js';
import { isStorageError, type StorageErrorCode } from '../../storage/errors.js';
import type { Materializer } from '../../storage/log/materializer.js';
import type { DatabaseMonitor } from '../../storage/mongodb/connection/monitor.js';
import type { DiskReserve } from '../../storage/reserve.js';
import { databaseMetrics } from './database-metrics.js';

/** Seconds. A commit of the embedded store takes a few milliseconds at most. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CHANGES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_384];

/** How a commit can fail. One that is behind is evaluated again, and while the server stops, it is closed. */
const FAILURES = ['unavailable', 'unknown', 'rejected', 'too-large'] as const;

/** Measures the commits of this server. */
export function engineMetrics(metrics: Metrics): EngineObserver {
  const waits = metrics.histogram(
    'apiserver_engine_wait_seconds',
    'Seconds that the oldest write of a batch waited for the batch before.',
    SECONDS,
  );
  const appends = metrics.histogram(
    'apiserver_engine_commit_duration_seconds',
    'Seconds that the store took to commit a batch of writes.',
    SECONDS,
  );
  const changes = metrics.histogram('apiserver_engine_batch_changes', 'Changes that were committed together.', CHANGES);
  let behind = 0;
  const failed = new Map<StorageErrorCode, number>(FAILURES.map((code) => [code, 0]));
  metrics.counter(
    'apiserver_engine_behind_total',
    'Batches that were evaluated again, because another server wrote first.',
    () => behind,
  );
  metrics.counters(
    'apiserver_engine_commit_errors_total',
    'Commits that failed: nothing was written (unavailable, rejected, too-large), or it may have been written (unknown).',
    'outcome',
    () => failed,
  );
  return {
    dequeued: (waited) => waits.observe(waited / 1000),
    appended: (count, took, error) => {
      appends.observe(took / 1000);
      changes.observe(count);
      if (!isStorageError(error)) return;
      if (error.code === 'behind') behind++;
      const failures = failed.get(error.code);
      if (failures !== undefined) failed.set(error.code, failures + 1);
    },
  };
}

interface Observed {
  readonly registry: Registry;
  readonly engine: Engine;
  readonly disk: DiskReserve | undefined;
  readonly materializer: Materializer;
  readonly monitor?: DatabaseMonitor | undefined;
}

/** Shows, at each scrape, what the server holds. */
export function storageMetrics(metrics: Metrics, { registry, engine, disk, materializer, monitor }: Observed): void {
  const { cacher, kinds } = registry;
  if (monitor !== undefined) databaseMetrics(metrics, monitor, cacher);
  const resources = kinds.filter(({ conversion }) => conversion === undefined).map(({ qualified }) => qualified);
  metrics.gauge('apiserver_engine_queued_writes', 'Writes that wait for a batch.', () => engine.queued);
  metrics.gauge(
    'apiserver_watch_cache_resource_version',
    'The newest revision that this server serves.',
    () => cacher.revision,
    'max',
  );
  metrics.gauge(
    'apiserver_storage_materialized_resource_version',
    'The revision up to which the objects of the store have the changes of its log. 0 on servers that are not elected.',
    () => materializer.revision,
    'max',
  );
  metrics.gauges(
    'apiserver_storage_objects',
    'Objects of each resource.',
    'resource',
    () => resources.map((resource) => [resource, cacher.resource(resource).size]),
    'max',
  );
  metrics.gauges('apiserver_storage_object_bytes', 'About how much memory the objects take.', 'resource', () =>
    resources.map((resource) => [resource, cacher.resource(resource).bytes]),
  );
  metrics.gauge(
    'apiserver_storage_free_bytes',
    'What the store can still write: free space of its disk, and what its files can use again. 0 if it is not known.',
    () => (disk?.space === undefined ? 0 : disk.space.free + disk.space.reusable),
    'max',
  );
  metrics.gauge(
    'apiserver_storage_reserve_bytes',
    'Below so many free bytes, only deletions and administrators may write. 0 if the free space is not known.',
    () => disk?.bytes ?? 0,
    'max',
  );
  metrics.gauge('apiserver_watch_cache_events', 'Recent changes in memory.', () => cacher.recent.sizes().events);
  metrics.gauges(
    'apiserver_watch_cache_bytes',
    'About how much memory recent changes and snapshots keep alive. The limit is storage.recent_bytes.',
    'part',
    () => {
      const { ringBytes, keptBytes } = cacher.recent.sizes();
      return [
        ['changes', ringBytes],
        ['snapshots', keptBytes],
      ];
    },
  );
}
