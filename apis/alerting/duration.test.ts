import { expect } from 'chai';
import { DURATION, durationOf, secondsOf } from './duration.js';

describe('a duration', () => {
  it('has each unit once, from the largest to the smallest', () => {
    for (const text of ['0', '0s', '5m', '1h30m', '1y2w3d4h5m6s7ms']) expect(text).to.match(DURATION);
    for (const text of ['5', 's', '5 m', '30m1h', '1m1m', '-5m', '1.5h', '5M']) expect(text).to.not.match(DURATION);
  });

  it('is a number of seconds', () => {
    expect(secondsOf('1h30m')).to.equal(5400);
    expect(secondsOf('1d500ms')).to.equal(86_400.5);
    expect(secondsOf('')).to.equal(0);
  });

  it('is written in hours, minutes and seconds', () => {
    expect([60, 90, 3600, 90_061, 0].map(durationOf)).to.deep.equal(['1m', '1m30s', '1h', '25h1m1s', '0s']);
  });
});
