import type { Writable } from 'node:stream';
import { printable } from '../../../pkg/system/text/printable.js';

/** What became of an object. */
export type Outcome = 'created' | 'changed' | 'same' | 'removed';

interface Counts extends Record<Outcome, number> {
  skipped: number;
}

/** Tells what was taken, and row by row what was not and why. Rows are written at once, and only counts are kept. */
export class Report {
  readonly #out: Writable;
  readonly #isDryRun: boolean;
  readonly #counts = new Map<string, Counts>();
  #leftOut = 0;

  constructor(out: Writable, isDryRun: boolean) {
    this.#out = out;
    this.#isDryRun = isDryRun;
  }

  count(what: string, outcome: Outcome): void {
    this.#of(what)[outcome]++;
  }

  /** An object that could be taken, but was not. */
  skip(what: string, name: string, reason: string): void {
    this.#of(what).skipped++;
    this.#row('skipped', `${what} ${name}`, reason);
  }

  /** Something of the source that has no place here, or that the credential may not read. */
  leaveOut(what: string, reason: string): void {
    this.#leftOut++;
    this.#row('left out', what, reason);
  }

  /** What people should know of something that was taken. */
  note(what: string, text: string): void {
    this.#row('note', what, text);
  }

  get tookAll(): boolean {
    return this.#leftOut === 0 && [...this.#counts.values()].every(({ skipped }) => skipped === 0);
  }

  get isSame(): boolean {
    return [...this.#counts.values()].every(({ created, changed, removed }) => created + changed + removed === 0);
  }

  created(what: string): number {
    return this.#counts.get(what)?.created ?? 0;
  }

  /** The last lines: how many objects of each kind, and whether something differs. */
  end(): void {
    for (const [what, counts] of this.#counts) {
      const counted = Object.entries(counts).filter(([, count]) => count > 0);
      this.#out.write(`${what}: ${counted.map(([name, count]) => `${count} ${this.#word(name)}`).join(', ')}\n`);
    }
    if (this.isSame) this.#out.write(this.tookAll ? 'Nothing differs.\n' : 'Nothing else differs.\n');
    else if (this.#isDryRun) this.#out.write('This was a dry run: nothing was changed.\n');
  }

  #word(outcome: string): string {
    return this.#isDryRun ? (DRY[outcome] ?? outcome) : outcome;
  }

  #of(what: string): Counts {
    const counts = this.#counts.get(what) ?? { created: 0, changed: 0, same: 0, removed: 0, skipped: 0 };
    this.#counts.set(what, counts);
    return counts;
  }

  #row(kind: string, about: string, text: string): void {
    this.#out.write(`${kind}: ${printable(about)}: ${printable(text)}\n`);
  }
}

const DRY: Readonly<Record<string, string>> = {
  created: 'would be created',
  changed: 'would be changed',
  removed: 'would be removed',
};
