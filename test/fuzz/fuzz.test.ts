import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { runs } from '../../pkg/testing/runs.js';
import { legacyRequests, routesOf } from './legacy-requests.js';
import { operationsOf } from './operations.js';
import { type FuzzRequest, resourceRequests } from './resource-requests.js';
import { KINDS_OF_CALLERS, type KindOfCaller, openWorld, type World } from './world.js';

/** Set FUZZ_REQUESTS=100000 for a long run, and SEED to repeat one. */
const REQUESTS = Number(process.env['FUZZ_REQUESTS'] ?? runs(5_000)) / 2;
/** Requests to one server. Later its callers and objects would mostly be deleted. */
const ROUND = 500;
const seed = Number(process.env['SEED'] ?? Date.now() % 1_000_000);

describe(`random requests of eight kinds of callers (SEED=${seed})`, function () {
  this.timeout(1_800_000);

  const apis: Record<string, (world: World) => Promise<fc.Arbitrary<FuzzRequest>>> = {
    'the resource API': async (world) => resourceRequests(await operationsOf(world.server), world.stored),
    'the legacy API': async (world) => legacyRequests(await routesOf(world), world),
  };
  for (const [api, requestsFor] of Object.entries(apis)) {
    it(`get no 5xx from ${api}, change nothing where they are refused, and see no secrets`, async () => {
      const outcomes = new Map<string, number>();
      for (let done = 0; done < REQUESTS; done += ROUND) {
        const world = await openWorld();
        try {
          const request = fc.tuple(fc.constantFrom(...KINDS_OF_CALLERS), await requestsFor(world));
          const property = fc.asyncProperty(request, async ([caller, sent]) => {
            const outcome = await expectSafe(world, caller, sent);
            outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
          });
          // A smaller example would be tried on a server that has changed since.
          await fc.assert(property, {
            numRuns: Math.min(ROUND, REQUESTS - done),
            seed: seed + done,
            endOnFailure: true,
          });
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

/** Times that a refused request is sent again if something was written meanwhile. */
const TRIES = 4;

/** Returns the status, and for a success whether something was written. */
async function expectSafe(world: World, caller: KindOfCaller, sent: FuzzRequest): Promise<string> {
  // The server writes by itself, too: it empties organizations that were deleted. Only what happens each time is due to the request.
  for (let tries = 1; ; tries++) {
    const { status, isChanged, what } = await outcomeOf(world, caller, sent);
    if (status < 400) return `${status < 300 ? 200 : 300} ${isChanged ? 'changed' : 'read'}`;
    if (!isChanged) return `${status}`;
    expect(tries, `changed something: ${what}`).to.be.below(TRIES);
    await settled(world);
  }
}

/** Milliseconds without a write after which the server has probably done what it does by itself, and how often it is asked at most. */
const QUIET = 50;
const LOOKS = 40;

/** The collection of organizations may be deleted in part, before one is refused. To empty these takes the server several commits. */
async function settled({ server }: World): Promise<void> {
  let seen = -1;
  for (let looks = 0; looks < LOOKS; looks++) {
    const end = await server.end();
    if (end === seen) return;
    seen = end;
    await sleep(QUIET);
  }
}

async function outcomeOf(world: World, caller: KindOfCaller, { method, path, ...request }: FuzzRequest) {
  const before = await world.server.end();
  const answer = await world.send(caller, method, path, request);
  const { status, failure } = answer;
  const isWatch = method === 'GET' && status === 200 && answer.text === '';
  if (isWatch) await answer.frames.close();
  const what = `${caller}: ${method} ${path} → ${status} ${answer.text.slice(0, 500)} ${failure}`;
  expect(status, what).to.be.below(500);
  expect(world.secretIn(answer.text), what).to.equal(undefined);
  return { status, isChanged: (await world.server.end()) !== before, what };
}
