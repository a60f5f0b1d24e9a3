import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import type { Settings } from '../../../pkg/config/schema.js';
import { SLOT } from './channels.js';

/** How many processes serve requests. */
export function workersOf({ server }: Pick<Settings, 'server'>): number {
  return server.workers === 'auto' ? availableParallelism() : server.workers;
}

export function isWorker(): boolean {
  return cluster.isWorker && process.env[SLOT] !== undefined;
}
