import { stat } from 'node:fs/promises';
import type { Settings } from '../../../pkg/config/schema.js';
import { writeBackup } from '../../../storage/backup/write.js';
import { productVersion } from '../../apiserver/version.js';
import { interruptible } from '../interrupt.js';
import { progressBar, type Terminal } from '../terminal.js';
import { nameOf, placeOf } from './place.js';
import { openSnapshot } from './stores.js';

export interface BackupCommand {
  readonly file: string;
  readonly settings: Settings;
}

/** Writes what the store holds at one revision to a file. Servers may run and write. Returns the text to print. */
export async function backup({ file, settings }: BackupCommand, terminal: Terminal): Promise<string> {
  const place = placeOf(settings);
  const snapshot = await openSnapshot(place);
  const bar = progressBar(terminal, 'backup');
  try {
    const progress = (done: number): void => bar.update(done, Math.max(done, snapshot.size));
    const { objects, sha256 } = await interruptible((signal) =>
      writeBackup(snapshot, { path: file, by: productVersion(), made: new Date(), progress, signal }),
    );
    bar.stop();
    const { size } = await stat(file);
    return [
      `${file}: ${objects} objects at revision ${snapshot.head.end}, ${(size / 1e6).toFixed(1)} MB, SHA-256 of the content ${sha256}`,
      `Read directly from ${nameOf(place)}; servers may run meanwhile.`,
      'Secrets are in it as they are stored: encrypted under the secret key, which is not in it. Keep secret.key and pki of the data folder, too.',
    ].join('\n');
  } finally {
    bar.stop();
    await snapshot.close();
  }
}
