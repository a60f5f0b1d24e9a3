import { lchownSync, lstatSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { messageOf } from '../errors/message.js';

const isRoot = (): boolean => process.geteuid?.() === 0;

/**
 * Gives what root made to the owner of `around`. Otherwise a command that root runs would lock out a server that runs
 * as another user. A link is not followed: the other user may have put it there, and would get what it leads to.
 */
export function giveToOwnerOf(around: string, path: string): void {
  if (!isRoot()) return;
  const { uid, gid } = statSync(around);
  // Root in a container may lack the right to change owners, and must not need it for files of its own. The group has
  // no rights on them.
  if (lstatSync(path).uid === uid) return;
  try {
    lchownSync(path, uid, gid);
  } catch (cause) {
    throw notGiven(path, around, uid, cause);
  }
}

/** The same for a file that is open, which nobody can replace by another one meanwhile. */
export async function giveFileToOwnerOf(around: string, path: string, file: FileHandle): Promise<void> {
  if (!isRoot()) return;
  const { uid, gid } = statSync(around);
  if ((await file.stat()).uid === uid) return;
  try {
    await file.chown(uid, gid);
  } catch (cause) {
    throw notGiven(path, around, uid, cause);
  }
}

function notGiven(path: string, around: string, uid: number, cause: unknown): Error {
  const reason = messageOf(cause);
  return new Error(`${path} cannot be given to user ${uid}, who owns ${around}: ${reason}. Run this as that user.`, {
    cause,
  });
}
