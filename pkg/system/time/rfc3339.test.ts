import { expect } from 'chai';
import { parseTime } from './rfc3339.js';

describe('a time of RFC 3339', () => {
  it('is read to the last digit, with its offset', () => {
    const times: readonly (readonly [string, number, string, number])[] = [
      ['1970-01-01T00:00:00Z', 0, '', 0],
      ['2024-02-29T23:59:59.1234567890123Z', 1_709_251_199, '1234567890123', 0],
      ['2026-01-31T13:00:00,5+01:30', 1_769_859_000, '5', 90],
      ['0001-01-01T00:00:00Z', -62_135_596_800, '', 0],
      ['1969-12-31T23:00:00-01:00', 0, '', -60],
    ];
    for (const [text, seconds, fraction, offset] of times)
      expect(parseTime(text), text).to.deep.equal({ seconds, fraction, offset });
  });

  it('is none if the day or the hour does not exist, and is never moved', () => {
    const days = [
      '2026-02-29',
      '2026-02-30',
      '1900-02-29',
      '2026-04-31',
      '2026-00-10',
      '2026-13-01',
      '2026-01-00',
      '2026-01-32',
    ];
    const hours = [
      '24:00:00Z',
      '23:60:00Z',
      '23:59:60Z',
      '12:00:00+25:00',
      '12:00:00+01:61',
      '12:00Z',
      '12:00:00',
      '12:00:00.Z',
    ];
    for (const day of days) expect(parseTime(`${day}T00:00:00Z`), day).to.equal(undefined);
    for (const hour of hours) expect(parseTime(`2026-01-31T${hour}`), hour).to.equal(undefined);
    for (const text of [
      '',
      'now',
      '2026-01-31',
      ' 2026-01-31T00:00:00Z',
      '2026-01-31t00:00:00z',
      '12026-01-31T00:00:00Z',
    ])
      expect(parseTime(text), text).to.equal(undefined);
  });
});
