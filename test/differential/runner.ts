import { setTimeout as sleep } from 'node:timers/promises';
import { comparable, firstDifference } from './comparable.js';
import { hidden } from './known.js';
import { KINDS, type Plural, type Sent, sequenceOf } from './sequences.js';
import { type Got, type Send, Session } from './session.js';

export interface Pair {
  readonly ours: Send;
  readonly theirs: Send;
}

/** The first request of a sequence that was answered differently. */
export interface Difference {
  readonly index: number;
  readonly what: string;
}

export interface Tally {
  requests: number;
  /** By method. */
  readonly methods: Map<string, number>;
  /** Intended differences, by name. */
  readonly known: Map<string, number>;
}

export function tally(): Tally {
  return { requests: 0, methods: new Map(), known: new Map() };
}

let runs = 0;

const STALE_TRIES = 50;
/** In milliseconds. */
const STALE_PAUSE = 100;

function mayBeStale({ method, query }: Sent): boolean {
  return method === 'GET' && query?.['resourceVersion'] === '0';
}

/** Sends a sequence to both servers, one request after another, and at the end compares what both have stored. */
export async function compareSequence(
  pair: Pair,
  sequence: readonly Sent[],
  counts = tally(),
): Promise<Difference | undefined> {
  const run = `r${process.pid}x${++runs}`;
  const [ours, theirs] = [new Session(pair.ours, run), new Session(pair.theirs, run)];
  const count = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1);
  const state = (Object.keys(KINDS) as Plural[]).map((path) => ({
    method: 'GET',
    path,
    query: { labelSelector: 'run=@run' },
  }));
  for (const [index, sent] of [...sequence, ...state].entries()) {
    let answers = await Promise.all([ours.ask(sent), theirs.ask(sent)]);
    // Such a read may return any version, so a busy server may answer with an old one.
    for (let tries = 0; tries < STALE_TRIES && mayBeStale(sent) && answers[0].status !== answers[1].status; tries++) {
      await sleep(STALE_PAUSE);
      answers = await Promise.all([ours.ask(sent), theirs.ask(sent)]);
    }
    counts.requests++;
    count(counts.methods, sent.method);
    const [a, b] = [comparable(sent, answers[0]), comparable(sent, answers[1])];
    const [mine, other] = hidden(sent, [a, b], (name) => count(counts.known, name));
    const what = firstDifference(JSON.parse(JSON.stringify(mine)), JSON.parse(JSON.stringify(other)));
    if (what !== undefined) return { index, what: `${what}${said(answers)}` };
  }
  return undefined;
}

/** The messages of both servers, which are not compared. */
function said(answers: readonly Got[]): string {
  const [here, there] = answers.map(
    ({ status, body }) => `${status} ${(body as { readonly message?: string }).message ?? ''}`,
  );
  return ` (${here} | ${there})`.slice(0, 600);
}

/**
 * Leaves requests out as long as the last one is still answered differently. Returns the shortest sequence that it
 * found.
 */
export async function shrunk(
  pair: Pair,
  sequence: readonly Sent[],
  { index, what }: Difference,
): Promise<readonly Sent[]> {
  let shortest = sequence.slice(0, index + 1);
  const kind = what.split(':')[0];
  for (let at = shortest.length - 2; at >= 0; at--) {
    const without = shortest.filter((_, i) => i !== at);
    const found = await compareSequence(pair, without);
    if (found?.what.split(':')[0] === kind) shortest = without.slice(0, (found?.index ?? 0) + 1);
    at = Math.min(at, shortest.length - 1);
  }
  return shortest;
}

/**
 * Compares the sequences of some seeds, several at a time. Returns descriptions of the differences, with the requests
 * that repeat them.
 */
export async function compareSeeds(
  pair: Pair,
  first: number,
  requests: number,
  counts: Tally,
): Promise<readonly string[]> {
  const found: string[] = [];
  let seed = first;
  const worker = async (): Promise<void> => {
    while (counts.requests < requests && found.length < MOST_FOUND) {
      const own = seed++;
      const difference = await compareSequence(pair, sequenceOf(own), counts);
      if (difference !== undefined) found.push(await story(pair, own, difference));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return found;
}

/** Whether a sequence of some seeds is answered differently. */
export async function differs(pair: Pair, first: number, requests: number): Promise<boolean> {
  const counts = tally();
  for (let seed = first; counts.requests < requests; seed++)
    if ((await compareSequence(pair, sequenceOf(seed), counts)) !== undefined) return true;
  return false;
}

const WORKERS = 4;
/** The comparison stops after so many differences. */
const MOST_FOUND = 5;

async function story(pair: Pair, seed: number, difference: Difference): Promise<string> {
  const sequence = sequenceOf(seed);
  const shortest = difference.index < sequence.length ? await shrunk(pair, sequence, difference) : sequence;
  const lines = shortest.map((sent) => JSON.stringify(sent));
  return [`seed ${seed}, request ${difference.index}: ${difference.what}`, ...lines].join('\n  ');
}
