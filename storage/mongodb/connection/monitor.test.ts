import { expect } from 'chai';
import { DatabaseMonitor } from './monitor.js';

describe('the monitor of the database', () => {
  let lines: string[];
  let now: number;
  let monitor: DatabaseMonitor;

  beforeEach(() => {
    lines = [];
    now = 1000;
    const line = (level: string) => (message: string) => void lines.push(`${level}: ${message}`);
    monitor = new DatabaseMonitor({ info: line('info'), warn: line('warn') }, () => now);
  });

  it('logs one line when the database goes away, and one when it is back, with how long it was away and how much failed', () => {
    monitor.answered();
    expect([monitor.isUp, lines]).to.deep.equal([true, []]);
    now += 500;
    for (let i = 0; i < 3; i++) monitor.failed(new Error('no server answers at db0:27017.'));
    expect(monitor.isUp).to.equal(false);
    now += 11_000;
    monitor.answered();
    monitor.answered();
    expect(monitor.isUp).to.equal(true);
    expect(lines).to.deep.equal([
      'warn: The database is away. no server answers at db0:27017.',
      'info: The database is back, after 11.5 s. 3 calls to it failed meanwhile.',
    ]);
  });

  it('counts the failures of each outage', () => {
    for (let outages = 0; outages < 2; outages++) {
      monitor.failed(new Error('cut off'));
      monitor.answered();
    }
    expect(lines.filter((line) => line.includes('1 calls'))).to.have.length(2);
  });

  it('logs each new primary, but not the first', () => {
    for (const address of ['db0:1', 'db0:1', 'db1:1', 'db1:1', 'db0:1']) monitor.primaryIs(address);
    expect(lines).to.deep.equal([
      'info: The primary of the database is db1:1 now. It was db0:1.',
      'info: The primary of the database is db0:1 now. It was db1:1.',
    ]);
  });

  it('warns of clocks that differ once for each change', () => {
    const compare = (offset: number): void => monitor.compareClocks(1_000_000 - offset, 999_990, 1_000_010);
    for (const offset of [0, 4000, -4000]) compare(offset);
    expect(lines).to.deep.equal([]);
    for (const offset of [3_600_000, 3_600_100, 3_599_000, -720_000, 100, -100]) compare(offset);
    expect(monitor.clockOffset).to.equal(-100);
    expect(lines).to.have.length(3);
    expect(lines[0]).to.include('warn: The clock of this server is 3600 s ahead of that of the database.');
    expect(lines[1]).to.include('warn: The clock of this server is 720 s behind that of the database.');
    expect(lines[2]).to.equal('info: The clocks of this server and of the database agree again.');
  });

  it('takes no time from an answer that was late, or for which the clock was set meanwhile', () => {
    monitor.compareClocks(0, 1_000_000, 1_002_000);
    monitor.compareClocks(0, 1_000_000, 999_000);
    expect([monitor.clockOffset, lines]).to.deep.equal([0, []]);
  });
});
