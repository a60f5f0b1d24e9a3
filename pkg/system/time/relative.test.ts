import { expect } from 'chai';
import { timeOf } from './relative.js';

const NOW = Date.parse('2024-05-15T13:45:30.500Z');

function shown(text: string, isEnd = false): string | undefined {
  const time = timeOf(text, NOW, isEnd);
  return time === undefined ? undefined : new Date(time).toISOString();
}

describe('a time of a dashboard', () => {
  it('is a number of milliseconds since the epoch', () => {
    expect(timeOf('1700000000123', NOW)).to.equal(1_700_000_000_123);
    expect(timeOf('0', NOW)).to.equal(0);
    expect(timeOf('-1', NOW)).to.equal(-1);
  });

  it('is relative to now, in every unit', () => {
    expect(shown('now')).to.equal('2024-05-15T13:45:30.500Z');
    expect(shown('now-30s')).to.equal('2024-05-15T13:45:00.500Z');
    expect(shown('now-5m')).to.equal('2024-05-15T13:40:30.500Z');
    expect(shown('now+2h')).to.equal('2024-05-15T15:45:30.500Z');
    expect(shown('now-1d')).to.equal('2024-05-14T13:45:30.500Z');
    expect(shown('now-1w')).to.equal('2024-05-08T13:45:30.500Z');
    expect(shown('now-3M')).to.equal('2024-02-15T13:45:30.500Z');
    expect(shown('now-1Q')).to.equal('2024-02-15T13:45:30.500Z');
    expect(shown('now-1y')).to.equal('2023-05-15T13:45:30.500Z');
  });

  it('is rounded down, and up for the end of a range', () => {
    expect(shown('now/d')).to.equal('2024-05-15T00:00:00.000Z');
    expect(shown('now/d', true)).to.equal('2024-05-15T23:59:59.999Z');
    expect(shown('now-1d/d')).to.equal('2024-05-14T00:00:00.000Z');
    expect(shown('now-1d/d', true)).to.equal('2024-05-14T23:59:59.999Z');
    expect(shown('now/M')).to.equal('2024-05-01T00:00:00.000Z');
    expect(shown('now/Q', true)).to.equal('2024-06-30T23:59:59.999Z');
    expect(shown('now/d+6h')).to.equal('2024-05-15T06:00:00.000Z');
  });

  // Promise: security work
  it('has no other form', () => {
    for (const text of [
      '',
      'today',
      'now-',
      'now-5',
      'now-5x',
      'now/',
      'now /d',
      '5m',
      '1e3',
      'now-5m ',
      'now'.repeat(9),
    ])
      expect(timeOf(text, NOW), text).to.equal(undefined);
    expect(timeOf(`now${'-1d'.repeat(9)}`, NOW)).to.equal(undefined);
  });

  it('is one that a date can hold', () => {
    expect(timeOf('now-999999y', NOW)).to.equal(undefined);
  });
});
