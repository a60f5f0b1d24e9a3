import type { Logger } from 'pino';
import type { Metrics } from '../../pkg/http/metrics/metrics.js';
import { damageOf } from '../../storage/damage.js';
import type { KeptObjectsOptions } from './kept-objects.js';

/** What is told about the files of objects. */
export type ObjectFiles = Pick<KeptObjectsOptions, 'onDamage' | 'onRefill'>;

/**
 * Tells operators about the files of objects in the data folder. A disk that damages files has to be replaced, although
 * nothing is lost.
 */
export function objectFiles(log: Logger, metrics: Metrics): ObjectFiles {
  let [damaged, refilled] = [0, 0];
  metrics.counter(
    'apiserver_object_files_damaged_total',
    'Local files of objects that were found to be damaged. Check the disk.',
    () => damaged,
  );
  metrics.counter(
    'apiserver_object_files_rebuilt_total',
    'How often the local files of objects were made again from the store.',
    () => refilled,
  );
  return {
    onDamage: (error) => {
      damaged++;
      log.error(
        { reason: damageOf(error) },
        'a local file of objects is damaged; all of them are made again from the store',
      );
    },
    onRefill: (reason) => {
      refilled++;
      log.warn({ reason }, 'the local files of objects were made from the store');
    },
  };
}
