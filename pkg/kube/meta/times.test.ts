import { expect } from 'chai';
import { microTime, secondTime } from './times.js';

const parsed = (schema: ReturnType<typeof microTime>, text: string): string | undefined => schema.safeParse(text).data;

describe('times', () => {
  it('are in UTC with the digits that Go reads, whatever clients send', () => {
    const sent = ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.1234567Z', '2026-01-31T13:00:00.5+01:00'];
    expect(sent.map((text) => parsed(microTime(''), text))).to.deep.equal([
      '2026-01-31T12:00:00.000000Z',
      '2026-01-31T12:00:00.123456Z',
      '2026-01-31T12:00:00.500000Z',
    ]);
    expect(sent.map((text) => parsed(secondTime(''), text))).to.deep.equal(Array(3).fill('2026-01-31T12:00:00Z'));
  });

  it('are refused if they are none', () => {
    const wrong = [
      '',
      'now',
      '2026-01-31',
      '2026-13-01T00:00:00Z',
      '2026-02-30T00:00:00.000000Z',
      '2026-01-31T24:00:00Z',
      '0001-01-01T00:00:00Z',
      '9999-12-31T23:59:59-01:00',
    ];
    for (const text of wrong) expect(parsed(microTime(''), text), text).to.equal(undefined);
  });
});
