import type { Logger } from 'pino';
import { mastersAuthorizer } from '../../pkg/authz/masters.js';
import type { Config } from '../../pkg/config/load.js';
import type { Settings } from '../../pkg/config/schema.js';
import type { Check } from '../../pkg/http/health.js';
import type { Route } from '../../pkg/http/routes.js';
import type { Metrics } from '../../pkg/metrics/metrics.js';
import type { KindEnvironment } from '../../registry/kind.js';
import { openResourceApi } from './resource-api.js';
import { openBackend } from './storage.js';
import { productVersion } from './version.js';

export interface ApiDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly clock: () => Date;
}

/** What the doors are made of: handlers by prefix, and the life of what is behind them. */
export interface Api {
  readonly routes: readonly Route[];
  /** What must be well before requests are sent here, by name. */
  readonly readyChecks: Readonly<Record<string, Check>>;
  /** After the last request is answered. */
  close(): Promise<void>;
}

/** Store, caches, registry, handlers, bottom up. */
export async function composeApi({ config, log }: ApiDependencies): Promise<Api> {
  const { settings } = config;
  const backend = await openBackend(settings);
  const resources = await openResourceApi({
    backend,
    environment: environmentOf(settings),
    authorizer: mastersAuthorizer,
    version: productVersion(),
    history: settings.storage.history,
    onError: (err, what) => log.error({ err }, what),
  });
  const routes = ['/api', '/apis', '/openapi'].map((prefix) => ({ prefix, handler: resources.handler }));
  const close = async (): Promise<void> => {
    await resources.close();
    await backend.close();
  };
  return { routes, readyChecks: { storage: () => resources.ready(AbortSignal.timeout(READY_WITHIN)) }, close };
}

/** A store that does not answer within this many milliseconds is not ready. */
const READY_WITHIN = 3000;

function environmentOf({ api, features }: Settings): KindEnvironment {
  return {
    domain: api.domain,
    features: {
      nestedFolders: features.nested_folders,
      alerting: features.alerting,
      queryHistory: features.query_history,
      maxFolderDepth: features.max_folder_depth,
    },
  };
}
