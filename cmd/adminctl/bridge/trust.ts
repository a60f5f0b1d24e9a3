import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { IMPORTED_FROM } from './draft.js';
import type { Subject } from './people.js';
import type { Report } from './report.js';

/** What the operator says with this option: the people there are the people here. */
export const OPTION = '--trust-people';

/**
 * How far a source is believed in who people are. A login, an e-mail address and a uid say little: another "alice"
 * there may be somebody else, and a source may know the uid of an administrator here. So who was here before keeps what
 * they have, unless the operator asks for more.
 */
export class Trust {
  /** The operator says that people there are those here, and that its administrators may administer this server. */
  readonly isGiven: boolean;
  /** What new objects are marked with. Absent: there is nobody here who could be taken for somebody else. */
  readonly from: string | undefined;
  /** What strangers were not given, by what they are called. */
  readonly #withheld = new Map<string, Map<string, number>>();
  readonly #strangers = new Map<string, string>();

  constructor(isGiven: boolean, address: string | undefined) {
    this.isGiven = isGiven;
    this.from = address === undefined ? undefined : placeOf(address);
  }

  /** Whether an import from this source has made the object. */
  hasMade({ metadata: { annotations = {} } }: Pick<KubeObject, 'metadata'>, domain: string): boolean {
    return annotations[`${domain}/${IMPORTED_FROM}`] === this.from;
  }

  /** Remembers somebody who was here before. */
  addStranger(namespace: string, subject: Subject, called: string): void {
    this.#strangers.set(keyOf(namespace, subject), called);
  }

  isStranger(namespace: string, subject: Subject): boolean {
    return this.#strangers.has(keyOf(namespace, subject));
  }

  /** Counts what a stranger was not given. There is one row for each of them, and not one for each folder. */
  withhold(namespace: string, subject: Subject, what: string): void {
    const called = `${subject.kind} ${this.#strangers.get(keyOf(namespace, subject)) ?? subject.name}`;
    const counts = this.#withheld.get(called) ?? new Map<string, number>();
    this.#withheld.set(called, counts.set(what, (counts.get(what) ?? 0) + 1));
  }

  /** Says what strangers were not given, and forgets it. */
  tell(report: Report): void {
    for (const [called, counts] of this.#withheld) {
      const all = [...counts].map(([what, count]) => `${count} ${what}`).join(', ');
      const why = 'was here before, and keeps what they have here';
      report.leaveOut(called, `${why}: ${all} not as there. ${OPTION} changes that`);
    }
    this.#withheld.clear();
  }
}

/** The address without what may be written in several ways. */
function placeOf(address: string): string {
  const { host, pathname } = new URL(address);
  return `${host}${pathname.replace(/\/+$/, '')}`;
}

const keyOf = (namespace: string, { kind, name }: Subject): string =>
  kind === 'User' ? `User/${name}` : `${kind}/${namespace}/${name}`;
