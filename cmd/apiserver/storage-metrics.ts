import type { Metrics } from '../../pkg/metrics/metrics.js';
import type { Registry } from '../../registry/kinds/registry.js';
import type { Engine, EngineObserver } from '../../storage/engine/engine.js';
import type { DiskReserve } from '../../storage/reserve.js';

/** Seconds. A commit of the embedded store takes a few milliseconds at most. */
const SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const CHANGES = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 4096, 16_384];

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
  metrics.counter(
    'apiserver_engine_behind_total',
    'Batches that were evaluated again, because another server wrote first.',
    () => behind,
  );
  return {
    taken: (waited) => waits.observe(waited / 1000),
    appended: (count, took, isBehind) => {
      appends.observe(took / 1000);
      changes.observe(count);
      if (isBehind) behind++;
    },
  };
}

interface Observed {
  readonly registry: Registry;
  readonly engine: Engine;
  readonly disk: DiskReserve | undefined;
}

/** Shows, at each scrape, what the server holds. */
export function storageMetrics(metrics: Metrics, { registry, engine, disk }: Observed): void {
  const { cacher, kinds } = registry;
  const resources = kinds.filter(({ conversion }) => conversion === undefined).map(({ qualified }) => qualified);
  metrics.gauge('apiserver_engine_queued_writes', 'Writes that wait for a batch.', () => engine.queued);
  metrics.gauge(
    'apiserver_watch_cache_resource_version',
    'The newest revision that this server serves.',
    () => cacher.revision,
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
