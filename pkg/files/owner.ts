import { chownSync, statSync } from 'node:fs';
import { messageOf } from '../errors/message.js';

const isRoot = (): boolean => process.geteuid?.() === 0;

/** Gives what root made to the owner of what is around it. Otherwise a command that root runs would lock out a server that runs as another user. */
export function giveToOwnerOf(around: string, path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(around);
  // Root in a container may lack the right to change owners, and must not need it for files of its own. The group has no rights on them.
  if (statSync(path).uid === uid) return;
  try {
    chownSync(path, uid, gid);
  } catch (cause) {
    const reason = messageOf(cause);
    throw new Error(`${path} cannot be given to user ${uid}, who owns ${around}: ${reason}. Run this as that user.`, {
      cause,
    });
  }
}
