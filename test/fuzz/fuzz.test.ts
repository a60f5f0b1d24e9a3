import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/system/testing/runs.js';
import type { Answer } from '../harness/answer.js';
import { openStore } from '../harness/stores.js';
import { KINDS_OF_CALLERS, type KindOfCaller } from './callers.js';
import { legacyRequests, routesOf } from './legacy-requests.js';
import { Markers } from './markers.js';
import { operationsOf } from './operations.js';
import { type FuzzRequest, resourceRequests } from './resource-requests.js';
import { type Beginning, makeBeginning, openWorld, type World } from './world.js';

/** FUZZ_REQUESTS=100000 is a long run, SEED repeats a run, and FUZZ_STORE=lmdb or mongodb uses another store. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? runs(20_000)) / 2;
const STORE = process.env['FUZZ_STORE'] ?? 'memory';
/** Requests to one server. After more, most of its callers and objects would be deleted. */
const ROUND = 1000;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

type Requests = fc.Arbitrary<FuzzRequest>;

describe(`random requests of all kinds of callers (SEED=${seed})`, function () {
  this.timeout(7_200_000);

  let beginning: Beginning;
  const apis: Record<string, Requests> = {};

  before(() =>
    makeBeginning(seed, async (server, made) => {
      beginning = made;
      apis['the resource API'] = resourceRequests(await operationsOf(server), made.stored, server.api.paths());
      apis['the legacy API'] = legacyRequests(await routesOf(server), made.stored);
    }),
  );

  for (const api of ['the resource API', 'the legacy API']) {
    // Promise: security rights
    it(`get no 5xx from ${api}, change nothing where they are refused, and see neither secrets nor what their callers may not see`, async function () {
      const outcomes = new Map<string, number>();
      const request = fc.tuple(fc.constantFrom(...KINDS_OF_CALLERS), apis[api] ?? fc.constant(undefined as never));
      for (let done = 0; done < REQUESTS; done += ROUND) {
        const markers = new Markers(`${api} ${seed} ${done}`);
        const world = await openWorld(beginning, await openStore(this, STORE), markers);
        const watches: Watch[] = [];
        try {
          const property = fc.asyncProperty(request, async ([caller, sent]) => {
            const outcome = await expectSafe(world, caller, sent, watches);
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          });
          // No shrinking, because the server has changed meanwhile.
          await fc.assert(property, {
            numRuns: Math.min(ROUND, REQUESTS - done),
            seed: seed + done,
            endOnFailure: true,
          });
          for (const watch of watches) await watch.end();
        } finally {
          await world.close();
        }
      }
      console.log(
        `      ${[...outcomes]
          .sort()
          .map(([outcome, count]) => `${outcome}: ${count}`)
          .join(', ')}`,
      );
      expect([...outcomes.keys()]).to.include.members(['200 changed', '200 read', '400', '403', '404']);
    });
  }
});

/** A refused deletion of these collections may have deleted some objects. The server then empties these for a while. */
const IN_PARTS = /\/(organizations|namespaces|customresourcedefinitions)$/;

/** Times that a refused request is sent again if something was written meanwhile. */
const TRIES = 8;

/** Returns the status, and for a success whether something was written. */
async function expectSafe(world: World, caller: KindOfCaller, sent: FuzzRequest, watches: Watch[]): Promise<string> {
  // The server also writes by itself, to empty deleted organizations. Only a change at each try is due to the request.
  for (let tries = 1; ; tries++) {
    const { status, isChanged, what } = await outcomeOf(world, caller, sent, watches);
    if (status < 400) return `${status < 300 ? 200 : 300} ${isChanged ? 'changed' : 'read'}`;
    if (!isChanged || (sent.method === 'DELETE' && IN_PARTS.test(sent.path))) return `${status}`;
    expect(tries, `changed something: ${what()}`).to.be.below(TRIES);
    await settled(world, QUIET * tries);
  }
}

/**
 * Milliseconds without a write after which the server has probably finished its own work, and how often this is checked
 * at most.
 */
const QUIET = 50;
const LOOKS = 40;

/** Waits until the server has emptied deleted organizations, which takes several commits. */
async function settled({ server }: World, quiet: number): Promise<void> {
  let seen = -1;
  for (let looks = 0; looks < LOOKS; looks++) {
    const end = await server.end();
    if (end === seen) return;
    seen = end;
    await sleep(quiet);
  }
}

async function outcomeOf(
  world: World,
  caller: KindOfCaller,
  { method, path, ...request }: FuzzRequest,
  watches: Watch[],
) {
  const before = await world.server.end();
  const { answer, hiddenIn } = await world.send(caller, method, path, request);
  const { status, text, failure } = answer;
  const what = (of = text): string =>
    `${caller}: ${method} ${path} ${new URLSearchParams(request.query)} → ${status} ${of.slice(0, 5000)} ${failure}`;
  const expectAllowed = (part: Pick<Answer, 'text' | 'headers'>): void => {
    const secret = world.secretIn(part.text);
    if (secret !== undefined) expect.fail(`${secret} is in what ${what(part.text)}`);
    const hidden = hiddenIn(part);
    if (hidden.length > 0) expect.fail(`${hidden.join(', ')} is hidden from ${what(part.text)}`);
  };
  if (status >= 500) expect.fail(what());
  expectAllowed(answer);
  if (method === 'GET' && status === 200 && text === '') watches.push(watch(answer, expectAllowed));
  return { status, isChanged: (await world.server.end()) !== before, what };
}

/** A watch that is read while other requests are sent. */
interface Watch {
  /** Ends the watch, and fails if it sent something that its caller may not see. */
  end(): Promise<void>;
}

function watch({ frames }: Answer, expectAllowed: (part: Pick<Answer, 'text' | 'headers'>) => void): Watch {
  const read = async (): Promise<void> => {
    for (let event = await frames.next(); event !== undefined; event = await frames.next())
      expectAllowed({ text: JSON.stringify(event), headers: {} });
  };
  const reading = read();
  reading.catch(() => undefined);
  return {
    end: async () => {
      await frames.close();
      await reading;
    },
  };
}
