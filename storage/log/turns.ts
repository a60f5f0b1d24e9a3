import { lifetime } from '../../pkg/system/time/lifetime.js';
import type { Revision } from '../backend.js';
import { Signal } from '../signal.js';

/** The number of recent commits that tell which servers append. */
const REMEMBERED = 32;
/** Bounds of the milliseconds that a turn usually takes. */
const SHORTEST = 5;
const LONGEST = 250;
/** A server has this many times the usual length before it is passed over. */
const PATIENCE = 3;
/** The share of the newest turn in the usual length. */
const NEWEST = 0.1;
/** The usual length changes by these factors when it was too short, and when a server missed its turn. */
const LONGER = 2;
const SHORTER = 0.8;
/** More missed turns than this are not counted. */
const MOST_MISSED = 4;

/**
 * The order in which the servers of one log append, as this server sees it. Nobody assigns turns: all servers see the
 * same commits, and the server that appended least recently is next. A server that does not use its turn is passed over
 * after a short time. This is only a hint that avoids competition; compare-and-append decides who appends.
 */
export class Turns {
  readonly #own: string;
  readonly #now: () => number;
  readonly #changed = new Signal();
  /** The servers that are expected to append again, the next one first. */
  readonly #order: string[] = [];
  /** The servers of the last commits, the newest last. */
  readonly #recent: string[] = [];
  readonly #missed = new Map<string, number>();
  /** The servers that have asked for a turn since the last commit. */
  readonly #requested = new Set<string>();
  #revision: Revision = 0;
  #since: number;
  #usual = SHORTEST;
  #isAsking = false;

  /** `own` is the id of this server. `now` gives milliseconds. */
  constructor(own: string, now: () => number = () => performance.now()) {
    this.#own = own;
    this.#now = now;
    this.#since = now();
  }

  /** Call this for each commit, as soon as it is known. */
  committed(server: string, revision: Revision): void {
    this.#revision = Math.max(this.#revision, revision);
    this.#measure(server);
    const index = this.#order.indexOf(server);
    this.#passOver(this.#order.splice(0, index + 1).filter((skipped) => skipped !== server));
    if (index >= 0) this.#missed.delete(server);
    this.#recent.push(server);
    if (this.#recent.length > REMEMBERED) this.#recent.shift();
    if (index >= 0 || this.#isFrequent(server)) this.#order.push(server);
    this.#isAsking = false;
    this.#advance();
  }

  /** The log is another one than was read, so it may end earlier. */
  diverged(): void {
    this.#revision = 0;
  }

  /** Call this when a server that waits for too long asks for the next turn. */
  requested(server: string): void {
    const index = this.#order.indexOf(server);
    // It did not get its turn in time.
    if (index !== 0) this.#resize(this.#usual * LONGER);
    if (index >= 0) this.#order.splice(index, 1);
    this.#order.unshift(server);
    this.#requested.add(server);
    this.#missed.delete(server);
    this.#advance();
  }

  /**
   * Call this when an append of this server was refused. Returns true if this server must ask for the next turn,
   * because the others do not expect it. If nobody has committed since it asked, the server whose turn it is may have
   * stopped: then a longer wait does not help.
   */
  lost(): boolean {
    if (this.#order[0] === this.#own || this.#isAsking) return false;
    this.#resize(this.#usual * LONGER);
    this.#isAsking = true;
    this.#since = this.#now();
    return true;
  }

  /**
   * Resolves when this server should append, or when the signal aborts. The result is the revision that the log has
   * reached at least: a server that is behind it cannot append.
   */
  async wait(signal: AbortSignal): Promise<Revision> {
    while (!signal.aborted) {
      const remaining = this.#until(this.#ahead());
      if (remaining <= 0) break;
      // AbortSignal.any would leave something behind in `signal`, which lives as long as the server.
      const turn = lifetime(signal, Math.ceil(remaining));
      await this.#changed.waitOrAbort(turn.signal);
      turn.end();
    }
    return this.#revision;
  }

  /**
   * How many servers come first. One that is not expected goes at once, but not twice in a row if others wait. One that
   * asks for a turn lets the server that is appending finish.
   */
  #ahead(): number {
    if (this.#isAsking) return 1;
    const index = this.#order.indexOf(this.#own);
    if (index >= 0) return index;
    return this.#order.length > 0 && this.#recent.at(-1) === this.#own ? 1 : 0;
  }

  /** The milliseconds until so many servers have missed their turns. */
  #until(turns: number): number {
    if (turns === 0) return 0;
    return this.#since + turns * this.#patience() - this.#now();
  }

  #patience(): number {
    return PATIENCE * this.#usual;
  }

  /** A turn is as long as from one commit to the next one, by the server that was expected. */
  #measure(server: string): void {
    const took = this.#now() - this.#since;
    if (this.#order[0] !== server || this.#order.length < 2 || took > this.#patience()) return;
    this.#resize(this.#usual + NEWEST * (took - this.#usual));
  }

  #resize(usual: number): void {
    this.#usual = Math.min(Math.max(usual, SHORTEST), LONGEST);
  }

  /** A server that asked while another one was appending has not missed a turn: that server did not know of it. */
  #passOver(skipped: readonly string[]): void {
    this.#order.unshift(...skipped.filter((server) => this.#requested.has(server)));
    for (const server of skipped) if (!this.#requested.has(server)) this.#miss(server);
    this.#requested.clear();
  }

  /**
   * A server that was passed over and still wants to append asks for its turn. Then all servers give each turn more
   * time.
   */
  #miss(server: string): void {
    this.#resize(this.#usual * SHORTER);
    this.#missed.set(server, Math.min((this.#missed.get(server) ?? 0) + 1, MOST_MISSED));
  }

  /**
   * Whether a server commits about as often as the others. A server that has missed turns must have done so more often.
   */
  #isFrequent(server: string): boolean {
    const others = new Set(this.#recent).size;
    const last = this.#recent.slice(-(2 * others + 1));
    return last.filter((recent) => recent === server).length >= 2 + (this.#missed.get(server) ?? 0);
  }

  #advance(): void {
    this.#since = this.#now();
    this.#changed.notify();
  }
}
