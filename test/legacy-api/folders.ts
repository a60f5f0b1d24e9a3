import type { Server } from '../harness/server.js';
import { fresh, type Json, legacyOf } from './legacy.js';

export const MISSING = {
  message: 'version: is missing: send the version that you have read, or overwrite: true',
  status: 'version-mismatch',
};
export const MISMATCH = { message: 'the folder has been changed by someone else', status: 'version-mismatch' };
export const NOT_FOUND = { message: 'folder not found', status: 'not-found' };
export const TOO_DEEP = structured('folder.maximum-depth-reached', 'Maximum nested folder depth reached');

/** A refusal with a messageId. */
export function structured(messageId: string, message: string): Json {
  return { statusCode: 400, messageId, message, extra: null };
}

export interface LegacyFolders {
  /** Creates a folder through the legacy API, and returns the answer. */
  make(uid: string, more?: Json): Promise<Json>;
  /** Creates folders, each in the one before. */
  chain(length: number): Promise<readonly string[]>;
}

export function legacyFoldersOf(server: () => Server): LegacyFolders {
  const { ask } = legacyOf(server);
  const make: LegacyFolders['make'] = (uid, more = {}) =>
    ask(200, 'POST', '/folders', { uid, title: `Title of ${uid}`, ...more });
  return {
    make,
    chain: async (length) => {
      const uids: string[] = [];
      for (let i = 0; i < length; i++) {
        const uid = fresh('chain');
        await make(uid, { parentUid: uids.at(-1) });
        uids.push(uid);
      }
      return uids;
    },
  };
}
