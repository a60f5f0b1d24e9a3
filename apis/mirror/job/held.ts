import type { Stop } from './deletion-guard.js';
import type { Key } from './resources.js';

/** What a mirror leaves as it is, or closes, and what waits for others: for the time of a worker. */
export class Held {
  /** There already, and kept. */
  readonly kept = new Set<Key>();
  /** Changed there by somebody, and only reported: what differs. */
  readonly drifted = new Map<Key, string>();
  /** Folders whose access is to be widened when their contents have arrived. */
  readonly late = new Set<Key>();
  /** Teams that get members when everything has arrived that they may see. */
  readonly lateTeams = new Set<Key>();
  /** Folders that wait here for what they name, and are closed there until then. */
  readonly waiting = new Set<Key>();
  /** By team that is not there as it is here: the places whose lists do not name it until then. */
  readonly withheld = new Map<Key, Set<Key>>();
  /** Sent, apart from what the other server does not have. */
  readonly partial = new Map<Key, string>();
  /** Nothing is deleted, because it is too much. */
  stop: Stop | undefined;

  /** The object is not there any more, or not this mirror's. */
  forget(key: Key): void {
    this.withheld.delete(key);
    this.late.delete(key);
    this.lateTeams.delete(key);
    this.partial.delete(key);
  }
}
