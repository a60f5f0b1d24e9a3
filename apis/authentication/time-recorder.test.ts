import { expect } from 'chai';
import { TimeRecorder } from './time-recorder.js';

interface Recording {
  readonly recorder: TimeRecorder;
  readonly written: string[];
  /** Lets the write of `slow` end. The other writes end at once. */
  release(): void;
}

function recording(): Recording {
  const written: string[] = [];
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const write = async (key: string): Promise<void> => {
    written.push(key);
    if (key === 'slow') await released;
  };
  const onError = (error: unknown): never => {
    throw error;
  };
  const recorder = new TimeRecorder({ read: () => undefined, write, now: () => 0, onError });
  return { recorder, written, release };
}

describe('TimeRecorder', () => {
  it('writes a time that is noted while it finishes its work, whatever the moment', async () => {
    for (let steps = 0; steps < 30; steps++) {
      const { recorder, written, release } = recording();
      recorder.note('slow');
      release();
      for (let i = 0; i < steps; i++) await undefined;
      recorder.note('next');
      await recorder.settled();
      expect(written, `after ${steps} steps`).to.deep.equal(['slow', 'next']);
    }
  });
});
