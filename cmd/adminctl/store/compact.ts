import type { Settings } from '../../../pkg/config/schema.js';
import { openBackend } from '../../apiserver/storage.js';
import { hasStore, nameOf, placeOf } from './place.js';

export interface CompactCommand {
  readonly settings: Settings;
}

/** Removes changes that are older than the settings keep. Returns the text to print. */
export async function compact({ settings }: CompactCommand): Promise<string> {
  const place = placeOf(settings);
  if ('data' in place && !hasStore(place.data)) throw new Error(`There is no store in ${place.data}.`);
  const backend = await openBackend(settings);
  try {
    const before = await backend.compacted();
    const through = await backend.revisionBefore(settings.storage.history);
    if (through > before) await backend.compact(through);
    const now = await backend.compacted();
    return `${nameOf(place)}: the log begins after revision ${now}, and ${now - before} changes were removed.`;
  } finally {
    await backend.close();
  }
}
