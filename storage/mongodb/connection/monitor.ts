import { messageOf } from '../../../pkg/system/errors/message.js';
import type { Revision } from '../../backend.js';

/** Where lines for the operator go. */
interface MonitorLog {
  info(message: string): void;
  warn(message: string): void;
}

/** Milliseconds by which the clocks of a server and of the database may differ. */
const CLOCK_BOUND = 5000;
/** An answer that took more milliseconds does not tell the time. */
const LATE = 1000;

/**
 * What an operator must know of the database: whether it answers, which member is the primary, and how far its clock is
 * from that of this server. Each change is one line of the log, however many calls fail meanwhile. It does not import
 * the driver, so that servers without MongoDB do not load it.
 */
export class DatabaseMonitor {
  readonly connections = { open: 0, used: 0, waiting: 0 };
  /** The end of the log, as far as this server knows. */
  end: () => Revision = () => 0;
  readonly #log: MonitorLog;
  readonly #now: () => number;
  #awaySince: number | undefined;
  #answeredAt: number;
  #failures = 0;
  #primary: string | undefined;
  #clockOffset = 0;
  #loggedOffset = 0;

  /** `now` gives milliseconds of a clock that nobody sets. */
  constructor(log: MonitorLog = SILENT, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
    this.#answeredAt = now();
  }

  get isUp(): boolean {
    return this.#awaySince === undefined;
  }

  /** By how many milliseconds the clock of this server is ahead of that of the database. */
  get clockOffset(): number {
    return this.#clockOffset;
  }

  /** The server has connected. */
  connected(text: string): void {
    this.#log.info(text);
  }

  /** The database did not answer a call, or could not do it. */
  failed(error: unknown): void {
    if (this.#awaySince === undefined) {
      this.#awaySince = this.#answeredAt;
      this.#failures = 0;
      this.#log.warn(`The database is away. ${messageOf(error)}`);
    }
    this.#failures++;
  }

  /** The database has answered. After an outage, call this only if a majority has acknowledged a write. */
  answered(): void {
    const now = this.#now();
    if (this.#awaySince !== undefined) {
      const seconds = ((now - this.#awaySince) / 1000).toFixed(1);
      this.#log.info(`The database is back, after ${seconds} s. ${this.#failures} calls to it failed meanwhile.`);
    }
    this.#awaySince = undefined;
    this.#answeredAt = now;
  }

  /** This member of the replica set is the primary. */
  primaryIs(address: string): void {
    const former = this.#primary;
    this.#primary = address;
    if (former !== undefined && former !== address)
      this.#log.info(`The primary of the database is ${address} now. It was ${former}.`);
  }

  /** The database has told its time, in an answer to a question of this time. All times are milliseconds since 1970. */
  compareClocks(theirs: number, asked: number, answered: number): void {
    if (answered < asked || answered - asked > LATE) return;
    this.#clockOffset = Math.round((asked + answered) / 2 - theirs);
    if (Math.abs(this.#clockOffset - this.#loggedOffset) < CLOCK_BOUND) return;
    const isWrong = Math.abs(this.#clockOffset) >= CLOCK_BOUND;
    this.#loggedOffset = isWrong ? this.#clockOffset : 0;
    if (isWrong) this.#log.warn(differenceOf(this.#clockOffset));
    else this.#log.info('The clocks of this server and of the database agree again.');
  }
}

function differenceOf(offset: number): string {
  const seconds = Math.round(Math.abs(offset) / 1000);
  return (
    `The clock of this server is ${seconds} s ${offset > 0 ? 'ahead of' : 'behind'} that of the database. ` +
    'Times of objects and the ends of tokens are wrong by as much. Let all servers and members use NTP.'
  );
}

const SILENT: MonitorLog = { info: () => undefined, warn: () => undefined };
