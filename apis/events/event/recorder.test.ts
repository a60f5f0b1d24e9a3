import { expect } from 'chai';
import type { Registry } from '../../../registry/kinds/registry.js';
import type { Report } from '../../../registry/kinds/reports.js';
import { EventRecorder } from './recorder.js';

const report: Report = {
  reason: 'Deleted',
  type: 'Normal',
  message: 'gone',
  about: { apiVersion: 'v1', kind: 'Thing', namespace: 'default', name: 'x' },
};

/** A registry whose writer counts transactions, and fails them. */
function failing(): { readonly registry: Registry; readonly tried: () => number } {
  let tried = 0;
  const transact = async () => {
    tried++;
    throw new Error('the store is away');
  };
  const kinds = [{ qualified: 'events', cached: true, scope: 'Namespaced' }];
  return {
    registry: {
      kinds,
      reader: { entry: () => undefined },
      clock: { now: () => 0 },
      writer: { transact },
    } as unknown as Registry,
    tried: () => tried,
  };
}

/** Adds a report after some steps of promises. */
async function addAfter(steps: number, recorder: EventRecorder): Promise<void> {
  for (let i = 0; i < steps; i++) await undefined;
  recorder.add(report);
}

describe('EventRecorder', () => {
  // Promise: security work
  it('keeps a bounded number of reports, writes a bounded number a minute, and survives failures', async () => {
    const recorder = new EventRecorder();
    for (let i = 0; i < 1000; i++) recorder.add(report);
    const { registry, tried } = failing();
    const errors: unknown[] = [];
    recorder.start({ registry, onError: (error) => void errors.push(error) });
    await recorder.idle();
    expect([tried(), errors.length]).to.deep.equal([60, 60]);
    await recorder.close();
    recorder.add(report);
    expect(tried()).to.equal(60);
  });

  it('writes a report that comes while it finishes its work, whatever the moment', async () => {
    for (let steps = 0; steps < 30; steps++) {
      const recorder = new EventRecorder();
      const { registry, tried } = failing();
      await new Promise<void>((added) => {
        const onError = (): void => {
          if (tried() === 1) void addAfter(steps, recorder).then(added);
        };
        recorder.start({ registry, onError });
        recorder.add(report);
      });
      await recorder.idle();
      expect(tried(), `after ${steps} steps`).to.equal(2);
    }
  });
});
