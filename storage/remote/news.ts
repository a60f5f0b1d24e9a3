import type { Revision } from '../backend.js';

/** What the owner of a store tells the other processes, without being asked: someone has appended, up to this revision. */
interface Appended {
  readonly appended: Revision;
}

export function appended(end: Revision): Appended {
  return { appended: end };
}

/** The revision, if this message tells of an append. */
export function appendedOf(message: unknown): Revision | undefined {
  if (typeof message !== 'object' || message === null || !('appended' in message)) return undefined;
  return Number(message.appended);
}
