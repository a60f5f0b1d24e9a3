import { fill } from '../../../storage/transfer/fill.js';
import type { Receiver, Snapshot } from '../../../storage/transfer/snapshot.js';
import { verifySame } from '../../../storage/transfer/verify.js';
import { progressBar, type Terminal } from '../terminal.js';
import { authorityTo } from './authority.js';
import { nameOf, type Place } from './place.js';
import { openReceiver, openSnapshot } from './stores.js';

export interface CopyCommand {
  readonly from: Place;
  readonly to: Place;
  /** Replaces what is there. */
  readonly force: boolean;
}

/**
 * Makes the second store the same as the first, with its log, so that clients notice nothing. If it is interrupted, or
 * run again later, it writes only what is missing or has changed. Returns the text to print.
 */
export async function copy({ from, to, force }: CopyCommand, terminal: Terminal): Promise<string> {
  if (nameOf(from) === nameOf(to)) throw new Error('--from and --to are the same store.');
  const snapshot = await openSnapshot(from);
  try {
    const origin = `copy of ${nameOf(from)}`;
    const receiver = await openReceiver(to, { domain: snapshot.head.domain, origin, replaces: force });
    try {
      const done = await copied(snapshot, receiver, terminal);
      const head = `${nameOf(to)} is a copy of ${nameOf(from)} at revision ${snapshot.head.end}.`;
      return [head, done, 'data' in to ? await authorityTo(to.data, receiver, snapshot.head) : AT_THE_START].join('\n');
    } finally {
      await receiver.close();
    }
  } finally {
    await snapshot.close();
  }
}

const AT_THE_START =
  'Start the first server of the database with the data folder of the server before, so that secret key and certificate authority stay the same.';

async function copied(snapshot: Snapshot, receiver: Receiver, terminal: Terminal): Promise<string> {
  const { written, unchanged, removed, commits } = await withBar(terminal, 'copy', snapshot, (progress) =>
    fill(snapshot, receiver, progress),
  );
  const { objects, sha256 } = await withBar(terminal, 'compare', snapshot, (progress) =>
    verifySame(snapshot.objects(), receiver.objects(), progress),
  );
  await receiver.finish(snapshot.head);
  return [
    `Objects: ${written} written, ${unchanged} unchanged, ${removed} removed. Commits of the log: ${commits}.`,
    `Compared: ${objects} objects are the same in both, SHA-256 ${sha256}`,
  ].join('\n');
}

async function withBar<T>(
  terminal: Terminal,
  what: string,
  { size }: Snapshot,
  work: (progress: (done: number) => void) => Promise<T>,
): Promise<T> {
  const bar = progressBar(terminal, what);
  try {
    return await work((done) => bar.update(done, Math.max(done, size)));
  } finally {
    bar.stop();
  }
}
