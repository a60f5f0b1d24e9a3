import { expect } from 'chai';
import { ulidGenerator } from './ulid.js';

describe('ulidGenerator', () => {
  it('depends on its clock and its random source only', () => {
    const generate = ulidGenerator({ now: () => 1_469_918_176_385, random: () => 0 });
    expect(generate()).to.equal('01aryz6s410000000000000000');
    expect(ulidGenerator({ now: () => 1_469_918_176_385, random: () => 31 / 32 })()).to.equal(
      '01aryz6s41zzzzzzzzzzzzzzzz',
    );
  });

  it('makes different texts of 26 lower-case characters that are valid names', () => {
    const generate = ulidGenerator();
    const made = Array.from({ length: 1000 }, generate);
    for (const uid of made) expect(uid).to.match(/^[0-9a-hjkmnp-tv-z]{26}$/);
    expect(new Set(made).size).to.equal(1000);
  });

  it('sorts by time', () => {
    let now = 1_000_000_000_000;
    const generate = ulidGenerator({ now: () => now++, random: Math.random });
    const made = Array.from({ length: 100 }, generate);
    expect([...made].sort()).to.deep.equal(made);
  });
});
