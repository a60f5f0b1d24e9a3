import { ownEndpoints } from '../../cmd/apiserver/own-routes.js';
import { createMetrics } from '../../pkg/metrics/metrics.js';
import type { Backend } from '../../storage/backend.js';
import { openMemory } from '../../storage/memory/backend.js';
import { ENVIRONMENT, openServer, type Server } from '../harness/server.js';

/** The server that transcripts are recorded with and replayed to. All requests are those of the administrator. */
export function openFresh(backend: Backend = openMemory()): Promise<Server> {
  const own = ownEndpoints({
    settings: { api: { domain: ENVIRONMENT.domain } },
    version: '0.0.0-test',
    metrics: createMetrics(),
    readyChecks: {},
    onFailure: () => undefined,
  });
  return openServer(backend, { moreEndpoints: [own] });
}
