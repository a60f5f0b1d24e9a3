import { expect } from 'chai';
import fc from 'fast-check';
import { avatarUrl, compactAge, neverSeen, slug, teamAvatarUrl, time } from './formats.js';

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

describe('formats of the legacy API', () => {
  for (const [ago, expected] of [
    [0, '< 1m'],
    [MINUTE - 1, '< 1m'],
    [MINUTE, '1m'],
    [10 * MINUTE, '10m'],
    [59 * MINUTE, '59m'],
    [60 * MINUTE, '1h'],
    [23 * 60 * MINUTE, '23h'],
    [DAY, '1d'],
    [30 * DAY, '30d'],
    [31 * DAY, '1M'],
    [364 * DAY, '11M'],
    [2 * 365 * DAY, '2y'],
  ] as const) {
    it(`an age of ${ago / MINUTE} minutes is ${expected}`, () => {
      expect(compactAge(1e12 - ago, 1e12)).to.equal(expected);
    });
  }

  // Promise: specification 2.3
  it('an age is one number and one unit, whatever the times are', () => {
    fc.assert(
      fc.property(fc.nat(4e12), fc.nat(4e12), (at, now) => {
        expect(compactAge(at, now)).to.match(/^(< 1m|[1-9]\d*[mhdMy])$/);
      }),
    );
  });

  // Promise: specification 2.3
  it('who never called was last seen ten years before they were created', () => {
    const created = Date.parse('2026-11-21T12:00:00Z');
    expect(time(neverSeen(created))).to.equal('2016-11-21T12:00:00Z');
    expect(compactAge(neverSeen(created), created)).to.equal('10y');
  });

  it('times are RFC 3339 in seconds, with the offset', () => {
    expect(time(1_700_000_000_999)).to.equal('2023-11-14T22:13:20Z');
  });

  it('a picture is found by the MD5 of the address in lower case, and none without an address', () => {
    expect(avatarUrl('Admin@localhost')).to.equal('/avatar/46d229b033af06a191ff2267bca9ae56');
    expect(avatarUrl('')).to.equal('');
  });

  it('a team without an address has the picture of its name', () => {
    expect(teamAvatarUrl(undefined, 'ad-min')).to.equal('/avatar/46d229b033af06a191ff2267bca9ae56');
    expect(teamAvatarUrl('admin@localhost', 'x')).to.equal('/avatar/46d229b033af06a191ff2267bca9ae56');
  });

  // Promise: specification 4.12
  it('a slug has letters, digits and single dashes', () => {
    expect(slug(' Main & Ops! ')).to.equal('main-ops');
    expect(slug('监控')).to.equal('55uR5o6n');
    expect(slug('监'.repeat(99))).to.have.length(100);
    expect(slug('')).to.equal('');
  });
});
