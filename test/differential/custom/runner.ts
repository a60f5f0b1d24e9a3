import { setTimeout as sleep } from 'node:timers/promises';
import { type Comparable, firstDifference } from '../comparable.js';
import type { Difference, Pair, Tally } from '../runner.js';
import { tally } from '../runner.js';
import { type Got, type Send, Session } from '../session.js';
import { comparable } from './comparable.js';
import { hidden } from './known.js';
import { DEFINITIONS, endOf, type Step, stepsOf } from './steps.js';

/** A server whose handler panics ends the connection. */
const gone = ({ message }: Error): Got => ({ status: 0, headers: {}, body: { message } });

/** Kubernetes refuses requests with 429 while it prepares the storage of a definition that has changed. */
async function askOnceReady(session: Session, step: Step): Promise<Got> {
  for (;;) {
    const got = await session.ask(step).catch(gone);
    if (got.status !== 429) return got;
    await sleep(PAUSE);
  }
}

let runs = 0;
const PAUSE = 25;
/** Milliseconds in which a server must reach an expected state. */
const PATIENCE = Number(process.env['PATIENCE'] ?? 15_000);

/** Sends the steps to both servers, one after another. At the end, the definition is deleted on both. */
export async function compareSteps(
  pair: Pair,
  steps: readonly Step[],
  counts = tally(),
  onEach?: (step: Step, what: string) => boolean,
): Promise<Difference | undefined> {
  const run = `r${process.pid}x${++runs}`;
  const [ours, theirs] = [new Session(pair.ours, run), new Session(pair.theirs, run)];
  const both = (step: Step): Promise<[Got, Got]> => Promise.all([ours.ask(step), askOnceReady(theirs, step)]);
  try {
    for (const [index, step] of steps.entries()) {
      for (const one of isScaled(step) ? [step, collectionOf(step)] : [step]) {
        const { what, isApart } = await compared(one, both, counts);
        if (what !== undefined && onEach?.(one, what) !== true) return { index, what };
        if (isApart) return undefined;
      }
      if (step.until !== undefined) await served(pair.theirs, theirs, step.until);
    }
    return undefined;
  } finally {
    const end = endOf(steps);
    if (end !== undefined) await Promise.all([ended(ours, end), ended(theirs, end)]);
  }
}

const isScaled = ({ method, path }: Step): boolean => method !== 'GET' && path.endsWith('/scale');

/** Lists the collection, because the answer to a scale does not show the managers of the object. */
function collectionOf({ path }: Step): Step {
  return { method: 'GET', path: path.split('/').slice(0, -2).join('/') };
}

interface Compared {
  readonly what: string | undefined;
  /** Whether an intended difference has changed only one of the servers, so that later answers cannot be the same. */
  readonly isApart: boolean;
}

async function compared(step: Step, both: (step: Step) => Promise<[Got, Got]>, counts: Tally): Promise<Compared> {
  const began = Date.now();
  for (;;) {
    const answers = await both(step);
    const { what, isApart } = difference(step, answers, counts);
    if (what !== undefined && step.isEventual === true && Date.now() - began < PATIENCE) {
      await sleep(PAUSE * 4);
      continue;
    }
    counts.requests++;
    count(counts.methods, step.method);
    count(counts.methods, `${answers[0].status}`);
    const [done, other] = answers.map(({ status }) => status < 300);
    return { what: what && `${what}${said(answers)}`, isApart: isApart || done !== other };
  }
}

function difference(step: Step, answers: readonly [Got, Got], counts: Tally): Compared {
  const pair: [Comparable, Comparable] = [comparable(step, answers[0]), comparable(step, answers[1])];
  const { answers: both, isApart } = hidden(step, pair, (name) => count(counts.known, name));
  const [mine, other] = both.map((answer) => JSON.parse(JSON.stringify(answer)));
  return { what: firstDifference(mine, other), isApart };
}

const count = (map: Map<string, number>, name: string): void => void map.set(name, (map.get(name) ?? 0) + 1);

function said(answers: readonly Got[]): string {
  const [here, there] = answers.map(
    ({ status, body }) => `${status} ${(body as { readonly message?: string }).message ?? ''}`,
  );
  return ` (${here?.slice(0, 400)} | ${there?.slice(0, 400)})`;
}

/** Waits until the server knows the definition. This server knows it at once. */
async function served(send: Send, session: Session, { column, path }: NonNullable<Step['until']>): Promise<void> {
  const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  const request = session.resolve({ method: 'GET', path, query: { limit: '1' }, headers });
  const began = Date.now();
  while (Date.now() - began < PATIENCE) {
    const { body } = await send(request).catch(gone);
    const { columnDefinitions = [] } = body as { readonly columnDefinitions?: readonly { readonly name: string }[] };
    if (columnDefinitions.some(({ name }) => name === column)) return;
    await sleep(PAUSE);
  }
}

async function ended(session: Session, end: Step): Promise<void> {
  await session.ask(end).catch(gone);
}

/** Leaves steps out as long as the last one still differs. */
async function shrunk(pair: Pair, steps: readonly Step[], { index, what }: Difference): Promise<readonly Step[]> {
  let shortest = steps.slice(0, index + 1);
  const kind = what.split(':')[0];
  for (let at = shortest.length - 2; at >= 0; at--) {
    const without = shortest.filter((_, i) => i !== at);
    if (isDefinition(shortest[at])) continue;
    const found = await compareSteps(pair, without);
    if (found?.what.split(':')[0] === kind) shortest = without.slice(0, (found?.index ?? 0) + 1);
    at = Math.min(at, shortest.length - 1);
  }
  return shortest;
}

const isDefinition = (step: Step | undefined): boolean => step?.until !== undefined && step.path === DEFINITIONS;

const WORKERS = 4;
const MOST_FOUND = Number(process.env['MOST_FOUND'] ?? 5);

/**
 * Compares the steps of some seeds, several at a time. Returns descriptions of the differences, with the requests that
 * repeat them.
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
      const steps = stepsOf(own);
      const differs = await compareSteps(pair, steps, counts);
      if (differs !== undefined) found.push(await story(pair, own, steps, differs));
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
  return found;
}

/** Whether the steps of some seeds are answered differently. */
export async function differs(pair: Pair, first: number, requests: number): Promise<boolean> {
  const counts = tally();
  for (let seed = first; counts.requests < requests; seed++)
    if ((await compareSteps(pair, stepsOf(seed), counts)) !== undefined) return true;
  return false;
}

async function story(pair: Pair, seed: number, steps: readonly Step[], differs: Difference): Promise<string> {
  const shortest =
    process.env['SHRINK'] === '0' ? steps.slice(differs.index, differs.index + 1) : await shrunk(pair, steps, differs);
  const lines = shortest.map((sent) => JSON.stringify(sent));
  return [`seed ${seed}, request ${differs.index}: ${differs.what}`, ...lines].join('\n  ');
}
