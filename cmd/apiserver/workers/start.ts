import type { Logger } from 'pino';
import { createLogger } from '../../../pkg/system/log/logger.js';
import { auditTarget } from '../audit.js';
import { prepareDataFolder } from '../data-folder.js';
import { Supervisor, type SupervisorOptions } from './supervisor.js';

/** Starts the workers. Rejects with an error for the operator. */
export async function startWorkers(
  options: Pick<SupervisorOptions, 'settings' | 'onReady' | 'onFailed'>,
): Promise<{ readonly log: Logger; readonly stop: () => Promise<void> }> {
  prepareDataFolder(options.settings);
  const log = createLogger(options.settings.log);
  const target = await auditTarget(options.settings, log);
  const supervisor = await Supervisor.start({ ...options, log, auditTarget: target });
  return { log, stop: () => supervisor.stop() };
}
