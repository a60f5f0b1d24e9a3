import { startDefinitions, startMigration } from '../../apis/apiextensions/index.js';
import type { ApisEnvironment } from '../../apis/environment.js';
import { type Mirrors, startMirrors } from '../../apis/mirror/job/mirrors.js';
import type { Election } from '../../registry/background/election.js';
import { startNamespaceCollector } from '../../registry/background/namespace-collector.js';
import { startGarbageCollector } from '../../registry/garbage/garbage-collector.js';
import type { Registry } from '../../registry/kinds/registry.js';
import { startPurge } from '../../registry/purge/purge.js';
import type { Backend } from '../../storage/backend.js';
import { startCompactor } from '../../storage/log/compactor.js';
import { Materializer } from '../../storage/log/materializer.js';

interface BackgroundOptions {
  readonly backend: Backend;
  readonly environment: ApisEnvironment;
  /** The version of the product. */
  readonly version: string;
  /** Whether mirrors are kept. */
  readonly keepsMirrors?: boolean;
  /** Milliseconds of history to keep. */
  readonly history: number;
  /** The most bytes of history to keep. */
  readonly historyBytes?: (() => number) | undefined;
  readonly onError: (error: unknown, what: string) => void;
}

export interface Background {
  /** Carries the log of the store into its objects. */
  readonly materializer: Materializer;
  /** Absent: they are not kept. */
  readonly mirrors: Mirrors | undefined;
  stop(): Promise<void>;
}

/** Starts what the elected server does in the background. */
export function startBackground(
  registry: Registry,
  { backend, environment, version, keepsMirrors, history, historyBytes, onError }: BackgroundOptions,
  { isElected }: Election,
): Background {
  const materializer = new Materializer(backend, {
    onError: (error) => onError(error, 'carrying the log into the objects failed, trying again later'),
    isElected,
  });
  const stopCompactor = startCompactor(backend, {
    history,
    bytes: historyBytes,
    onError: (error) => onError(error, 'compaction failed, trying again later'),
    isElected,
  });
  const stopCollector = startNamespaceCollector(registry, {
    onError: (error) => onError(error, 'emptying an organization failed, trying again'),
    isElected,
  });
  const stopPurge = startPurge(registry, {
    onError: (error) => onError(error, 'removing objects that are no longer needed failed, trying again'),
    isElected,
  });
  const stopGarbageCollector = startGarbageCollector(registry, {
    onError: (error) => onError(error, 'deleting what deleted objects owned failed, trying again'),
    isElected,
  });
  const stopDefinitions = startDefinitions(registry, {
    onError: (error) => onError(error, 'deleting the objects of a definition failed, trying again'),
    isElected,
  });
  const stopMigration = startMigration(registry, {
    onError: (error) => onError(error, 'storing the objects of a definition in their new form failed, trying again'),
    isElected,
  });
  const mirrors =
    keepsMirrors === true
      ? startMirrors(registry, {
          environment,
          version,
          onError: (error) => onError(error, 'keeping a mirror failed, trying again'),
          isElected,
        })
      : undefined;
  const stop = async (): Promise<void> => {
    await mirrors?.stop();
    await stopMigration();
    await stopDefinitions();
    await stopGarbageCollector();
    await stopPurge();
    await stopCollector();
    await stopCompactor();
    await materializer.stop();
  };
  return { materializer, mirrors, stop };
}
