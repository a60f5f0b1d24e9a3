import { expect } from 'chai';
import { ageOf } from './age.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const ago = (seconds: number): string => ageOf(new Date(NOW.getTime() - seconds * 1000).toISOString(), NOW);
const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const YEAR = 365 * DAY;

describe('ageOf', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0s'],
    [119, '119s'],
    [2 * MINUTE, '2m'],
    [5 * MINUTE + 10, '5m10s'],
    [10 * MINUTE + 10, '10m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR, '3h'],
    [7 * HOUR + 59 * MINUTE, '7h59m'],
    [8 * HOUR + 59 * MINUTE, '8h'],
    [47 * HOUR, '47h'],
    [2 * DAY, '2d'],
    [7 * DAY + 23 * HOUR, '7d23h'],
    [8 * DAY + 23 * HOUR, '8d'],
    [729 * DAY, '729d'],
    [2 * YEAR + 3 * DAY, '2y3d'],
    [8 * YEAR + 3 * DAY, '8y'],
  ];
  // Promise: contract 2
  for (const [seconds, text] of cases)
    it(`shows ${seconds} seconds as ${text}`, () => expect(ago(seconds)).to.equal(text));

  it('tolerates a clock that is one second behind, but not more', () => {
    expect(ago(-1)).to.equal('0s');
    expect(ago(-2)).to.equal('<invalid>');
  });

  it('shows <unknown> without a valid time', () => {
    expect(ageOf(undefined, NOW)).to.equal('<unknown>');
    expect(ageOf('yesterday', NOW)).to.equal('<unknown>');
  });
});
