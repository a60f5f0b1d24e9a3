import { expect } from 'chai';
import type { Answer } from '../harness/answer.js';
import { legacyRoutesOf } from '../harness/legacy-routes.js';
import { oneStore } from '../harness/stores.js';
import { type Cast, castOn } from '../permissions/cast.js';
import { legacyTry, targetsOf } from '../permissions/legacy-requests.js';
import { type Faults, type Probe, probeOf } from './probe.js';

oneStore('a write of the legacy API', (server) => {
  let cast: Cast;
  let probe: Probe;
  let shared: ReturnType<typeof targetsOf>;

  before(async () => {
    cast = await castOn(server());
    probe = probeOf(server());
    shared = targetsOf(cast);
  });

  const writes = () => legacyRoutesOf(server()).filter(({ method }) => method !== 'GET');

  const send = async ({ method, path }: ReturnType<typeof writes>[number], faults: Faults = {}): Promise<Answer> => {
    const { path: at, shows: _, ...request } = await legacyTry(cast, shared, 'root', { method, path });
    probe.begin(faults);
    try {
      return await cast.call('root', method, `/api${at}`, request);
    } finally {
      probe.end();
    }
  };

  it('has one commit, so that no part of it is done alone', async () => {
    let stored = 0;
    for (const route of writes()) {
      await send(route);
      expect(probe.commits, `${route.method} ${route.path}`).to.be.at.most(1);
      stored += probe.commits;
    }
    expect(stored, 'most routes store something').to.be.above(50);
  });

  it('is answered with success once it is stored, whatever fails after that', async () => {
    let stored = 0;
    for (const route of writes()) {
      const answer = await send(route, { reads: true });
      if (probe.commits > 0) expect(answer.status, `${route.method} ${route.path}: ${answer.text}`).to.be.below(300);
      stored += probe.commits;
    }
    expect(stored, 'most routes store something').to.be.above(50);
  });

  it('changes nothing if it is refused', async () => {
    let refused = 0;
    for (const { method, path, body } of writes()) {
      const { path: at, shows: _, ...request } = await legacyTry(cast, shared, 'root', { method, path });
      const wrong = [
        { ...request, body: '{' },
        ...(body === undefined ? [] : [{ ...request, body: { nonsense: [1] } }]),
      ];
      for (const one of wrong) {
        probe.begin();
        const { status, text } = await cast.call('root', method, `/api${at}`, one);
        probe.end();
        if (status < 400) continue;
        refused++;
        expect(probe.commits, `${method} ${path}: ${text}`).to.equal(0);
      }
    }
    expect(refused).to.be.above(50);
  });
});
