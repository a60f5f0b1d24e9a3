import type { Backend } from '../../backend.js';
import { Cacher } from '../../cacher/cacher.js';
import { Engine, type EngineObserver } from '../../engine/engine.js';
import { memoryStore, openMemory } from '../../memory/backend.js';
import { DEFINITIONS } from './resources.js';

/** An engine by itself. */
export interface Running {
  readonly engine: Engine;
  readonly cacher: Cacher;
  readonly backend: Backend;
  /** The appends, by how many changes they had. */
  readonly appends: number[];
}

/** Runs an engine on a store in memory, of which `overrides` change some methods. */
export function withEngine(
  work: (running: Running) => Promise<void>,
  overrides: (inner: Backend) => Partial<Backend> = () => ({}),
  observer?: EngineObserver,
): () => Promise<void> {
  return async () => {
    const inner = openMemory(memoryStore(), Date.now, true);
    const appends: number[] = [];
    const append: Backend['append'] = async (after, batch) => {
      appends.push(batch.changes.length);
      await (overrides(inner).append ?? inner.append)(after, batch);
    };
    const backend: Backend = { ...inner, ...overrides(inner), append };
    const cacher = await Cacher.open(inner, { definitions: DEFINITIONS });
    const engine = new Engine(backend, cacher, { catchUpWithin: 50, observer });
    try {
      await work({ engine, cacher, backend, appends });
    } finally {
      await engine.close();
      await cacher.close();
      await inner.close();
    }
  };
}
