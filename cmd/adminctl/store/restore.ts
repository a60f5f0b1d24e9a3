import type { Settings } from '../../../pkg/config/schema.js';
import { backupSnapshot, type Verified, verifyBackup } from '../../../storage/backup/read.js';
import { fill } from '../../../storage/transfer/fill.js';
import { progressBar, type Terminal } from '../terminal.js';
import { nameOf, placeOf } from './place.js';
import { openReceiver } from './stores.js';

export interface RestoreCommand {
  readonly file: string;
  readonly settings: Settings;
  /** Replaces what is there. */
  readonly force: boolean;
  /** How much higher the end of the log is than in the backup. */
  readonly advance: number;
}

/**
 * Fills an empty store from a backup, which is read to its end before anything is written. Returns the text to print.
 */
export async function restore({ file, settings, force, advance }: RestoreCommand, terminal: Terminal): Promise<string> {
  const verified = await checked(file, terminal);
  const { head, end } = verified;
  const { domain } = settings.api;
  if (head.domain !== domain) {
    throw new Error(
      `The backup belongs to the API domain ${head.domain}, not ${domain}. Set api.domain to ${head.domain}.`,
    );
  }
  const place = placeOf(settings);
  const receiver = await openReceiver(place, { domain, origin: `backup ${end.sha256}`, replaces: force });
  const bar = progressBar(terminal, 'restore');
  try {
    const snapshot = backupSnapshot(file, verified, { advance });
    await fill(snapshot, receiver, (done) => bar.update(done, end.objects));
    await receiver.finish(snapshot.head);
    bar.stop();
    return `Restored ${end.objects} objects to ${nameOf(place)}, at revision ${snapshot.head.end}, as they were at ${head.made}.`;
  } finally {
    bar.stop();
    await receiver.close();
  }
}

async function checked(file: string, terminal: Terminal): Promise<Verified> {
  const bar = progressBar(terminal, 'checking the backup');
  try {
    return await verifyBackup(file, (done) => bar.update(done, done));
  } finally {
    bar.stop();
  }
}
