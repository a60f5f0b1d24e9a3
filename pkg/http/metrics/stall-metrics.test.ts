import { mock } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { Registry } from 'prom-client';
import { stallMetrics } from './stall-metrics.js';

const NAME = 'apiserver_event_loop_longest_stall_seconds';
/** Milliseconds. */
const STALL = 500;

describe('stallMetrics', () => {
  afterEach(() => mock.timers.reset());

  it('shows the longest stall for one to two minutes', async () => {
    mock.timers.enable({ apis: ['setInterval'] });
    const registry = new Registry();
    stallMetrics(registry);
    const longest = async (): Promise<number> => (await registry.getSingleMetric(NAME)?.get())?.values[0]?.value ?? 0;
    // The timer of Node must run before and after the stall.
    await sleep(50);
    for (const end = performance.now() + STALL; performance.now() < end; );
    await sleep(50);
    expect(await longest()).to.be.at.least(STALL / 2000);
    mock.timers.tick(60_000);
    expect(await longest()).to.be.at.least(STALL / 2000);
    mock.timers.tick(60_000);
    expect(await longest()).to.be.below(STALL / 2000);
  });
});
