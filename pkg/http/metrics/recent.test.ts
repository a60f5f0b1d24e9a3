import { expect } from 'chai';
import { Registry } from 'prom-client';
import { Recent, shownRecent } from './recent.js';
import { requestMetrics } from './request-metrics.js';

const OPERATION = { verb: 'get', group: '', version: 'v1', resource: 'x', subresource: '', scope: '', component: '' };

describe('what the server did lately', () => {
  const processOf = (now: () => number) => {
    const requests = requestMetrics(new Registry());
    const operation = OPERATION as unknown as Parameters<typeof requests.observe>[0];
    const recent = new Recent({ requests, stall: () => 0.25, now });
    return { recent, answer: (status: number, seconds?: number) => requests.observe(operation, status, seconds) };
  };

  it('is counted by slot: requests, refusals, failures and durations', () => {
    let time = 20_000;
    const { recent, answer } = processOf(() => time);
    for (let count = 0; count < 98; count++) answer(200, 0.004);
    answer(404, 0.004);
    answer(500, 2);
    answer(200);
    recent.note();
    time += 10_000;
    recent.note();
    const { seconds, slots } = shownRecent([recent.slots]);
    expect([seconds, slots.map(({ at }) => at)]).to.deep.equal([10, [20_000, 30_000]]);
    expect(slots[0]).to.include({ requests: 101, refused: 1, failed: 1, median: 0.005, slowest: 0.005, stall: 250 });
    expect(slots[1]).to.include({ requests: 0, failed: 0 }).and.to.not.have.property('median');
  });

  it('is added up for the processes of a server', () => {
    const [one, other] = [processOf(() => 45_000), processOf(() => 41_000)];
    one.answer(200, 0.001);
    other.answer(503, 10);
    for (const { recent } of [one, other]) recent.note();
    const { slots } = shownRecent([one.recent.slots, other.recent.slots]);
    expect(slots.length).to.equal(1);
    expect(slots[0]).to.include({ at: 40_000, requests: 2, failed: 1, median: 0.001, slowest: 10 });
  });

  it('has an hour at most', () => {
    let time = 0;
    const { recent } = processOf(() => (time += 10_000));
    for (let count = 0; count < 500; count++) recent.note();
    expect(recent.slots.length).to.equal(360);
    expect(recent.slots.at(-1)?.at).to.equal(5_000_000);
  });
});
