import { BUCKETS, type RequestMetrics } from './request-metrics.js';

/** Milliseconds of a slot, and how many are kept: an hour of them. */
const SLOT = 10_000;
const KEPT = 360;

/**
 * What a process did in ten seconds. All processes of a server have the same slots, so that what they did can be added
 * up.
 */
export interface RecentSlot {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly requests: number;
  /** Answers of 4xx, and of 5xx. */
  readonly refused: number;
  readonly failed: number;
  /** Requests by their duration, as the buckets of the histogram. */
  readonly buckets: readonly number[];
  /** The longest stall lately, in milliseconds; bytes; seconds of processor time. */
  readonly stall: number;
  readonly memory: number;
  readonly processor: number;
}

export interface RecentOptions {
  readonly requests: Pick<RequestMetrics, 'totals'>;
  readonly stall: () => number;
  readonly now?: () => number;
}

/** Keeps what this process did in the last hour. */
export class Recent {
  readonly #slots: RecentSlot[] = [];
  readonly #options: RecentOptions;
  #before;

  constructor(options: RecentOptions) {
    this.#options = options;
    this.#before = this.#totals();
  }

  start(): void {
    setInterval(() => this.note(), SLOT).unref();
  }

  /** Ends a slot. */
  note(): void {
    const { now = Date.now, stall } = this.#options;
    const [totals, before] = [this.#totals(), this.#before];
    this.#before = totals;
    this.#slots.push({
      at: Math.floor(now() / SLOT) * SLOT,
      requests: totals.requests - before.requests,
      refused: totals.refused - before.refused,
      failed: totals.failed - before.failed,
      buckets: totals.buckets.map((count, index) => count - (before.buckets[index] ?? 0)),
      stall: stall() * 1000,
      memory: process.memoryUsage.rss(),
      processor: totals.processor - before.processor,
    });
    if (this.#slots.length > KEPT) this.#slots.shift();
  }

  get slots(): readonly RecentSlot[] {
    return this.#slots;
  }

  #totals() {
    const { user, system } = process.cpuUsage();
    return { ...this.#options.requests.totals(), processor: (user + system) / 1e6 };
  }
}

/** What is shown of a slot. Durations are in seconds, and undefined if there were no requests. */
export interface ShownSlot extends Pick<RecentSlot, 'at' | 'refused' | 'failed' | 'requests' | 'stall' | 'memory'> {
  readonly median?: number;
  readonly slowest?: number;
  /** Of one processor. */
  readonly processor: number;
}

export interface ShownRecent {
  /** Seconds of a slot. */
  readonly seconds: number;
  readonly slots: readonly ShownSlot[];
}

/** Adds up what the processes of a server did. */
export function shownRecent(processes: readonly (readonly RecentSlot[])[]): ShownRecent {
  const byTime = new Map<number, RecentSlot[]>();
  for (const slot of processes.flat()) byTime.set(slot.at, [...(byTime.get(slot.at) ?? []), slot]);
  const slots = [...byTime].sort(([a], [b]) => a - b).map(([at, all]) => joined(at, all));
  return { seconds: SLOT / 1000, slots };
}

function joined(at: number, all: readonly RecentSlot[]): ShownSlot {
  const sum = (read: (slot: RecentSlot) => number): number => all.reduce((total, slot) => total + read(slot), 0);
  const buckets = [...BUCKETS, Number.POSITIVE_INFINITY].map((_, index) => sum((slot) => slot.buckets[index] ?? 0));
  const [median, slowest] = [0.5, 0.99].map((part) => quantile(buckets, part));
  return {
    at,
    requests: sum(({ requests }) => requests),
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
    ...(median !== undefined && { median }),
    ...(slowest !== undefined && { slowest }),
    stall: Math.max(...all.map(({ stall }) => stall)),
    memory: sum(({ memory }) => memory),
    processor: sum(({ processor }) => processor) / (SLOT / 1000),
  };
}

/** The upper bound of the bucket in which a part of all requests ends. */
function quantile(buckets: readonly number[], part: number): number | undefined {
  const all = buckets.reduce((sum, count) => sum + count, 0);
  let sum = 0;
  for (const [index, count] of buckets.entries()) {
    sum += count;
    if (all > 0 && sum >= part * all) return BUCKETS[index] ?? BUCKETS.at(-1);
  }
  return undefined;
}
