import { expect } from 'chai';
import { relativeTime } from './client/lib/relative-time.js';

describe('times in words', () => {
  const now = Date.UTC(2026, 0, 31);
  const cases: Readonly<Record<string, number>> = {
    'just now': 9,
    '10 seconds ago': 10,
    '59 seconds ago': 59,
    '1 minute ago': 60,
    '23 hours ago': 86_399,
    '1 day ago': 86_400,
    '2 years ago': 2.5 * 31_536_000,
    'in 5 minutes': -300,
  };
  for (const [text, seconds] of Object.entries(cases))
    it(`says "${text}"`, () => {
      expect(relativeTime(new Date(now - seconds * 1000), now)).to.equal(text);
    });
});
