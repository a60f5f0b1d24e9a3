import { expect } from 'chai';
import { StorageError } from '../../storage/errors.js';
import { DatabaseMonitor } from '../../storage/mongodb/connection/monitor.js';
import { lagOf } from './database-metrics.js';
import { errorLog, purgeClock } from './database-monitor.js';

describe('what fails while the database is away', () => {
  it('is counted and not logged, if it fails because of that', () => {
    const lines: string[] = [];
    const monitor = new DatabaseMonitor({ info: (text) => lines.push(text), warn: (text) => lines.push(text) });
    const logged: string[] = [];
    const onError = errorLog({ error: (_: unknown, text?: string) => void logged.push(text ?? '') }, monitor);
    const away = new StorageError('unavailable', 'no answer');
    onError(away, 'before it is known');
    monitor.failed(away);
    onError(away, 'meanwhile');
    onError(new Error('the store cannot be reached', { cause: away }), 'meanwhile');
    onError(new Error('a fault of the program'), 'another reason');
    monitor.answered();
    onError(away, 'afterwards');
    expect(logged).to.deep.equal(['before it is known', 'another reason', 'afterwards']);
    expect(lines).to.have.length(2);
    expect(lines[1]).to.include(' 3 calls ');
  });
});

describe('the clock by which old objects are removed', () => {
  it('is the one that is behind, of this server and of the database', () => {
    const ahead = (clockOffset: number): number => Date.now() - purgeClock({ clockOffset }).now();
    expect(ahead(3_600_000)).to.be.within(3_599_000, 3_600_000);
    expect(ahead(-720_000)).to.be.within(-1000, 0);
    expect(Date.now() - purgeClock(undefined).now()).to.be.within(-1000, 0);
  });
});

describe('the lag behind the log', () => {
  it('is the time since an end was seen that is not reached', () => {
    let [end, reached, now] = [10, 10, 0];
    const lag = lagOf(
      () => end,
      () => reached,
      () => now,
    );
    const at = (time: number, log: number, own: number): number => {
      [now, end, reached] = [time, log, own];
      return lag();
    };
    expect([at(0, 10, 10), at(15, 40, 20), at(30, 50, 45), at(45, 60, 45), at(60, 70, 60)]).to.deep.equal([
      0, 0, 0, 15, 0,
    ]);
    // A log that was set back is another one.
    expect([at(75, 90, 60), at(90, 90, 60), at(105, 5, 5)]).to.deep.equal([15, 30, 0]);
  });
});
