import { expect } from 'chai';
import { firstDifference } from './difference.js';
import { Placeholders } from './placeholders.js';

const UID = '6d1bd7a6-6f0a-4f8e-9d6e-3b8c2f3c1a10';
const object = (uid: string, resourceVersion: string) => ({
  metadata: { uid, resourceVersion },
  message: `uid ${uid}`,
});

describe('golden transcripts: comparing', () => {
  it('names the first member that differs', () => {
    expect(firstDifference({ a: [1, { b: 2 }] }, { a: [1, { b: 3 }] })).to.equal('answer.a.1.b is 2, but was 3');
    expect(firstDifference({ a: 1 }, { a: 1, b: 2 })).to.equal('answer.b is absent, but was 2');
    expect(firstDifference({ a: [] }, { a: [] })).to.equal(undefined);
  });

  it('gives equal text for two runs that went the same way, and different text for others', () => {
    const run = (...objects: readonly unknown[]): unknown => {
      const values = new Placeholders();
      return objects.map((answer) => values.ofAnswer(answer));
    };
    const other = UID.replace('6d', '7e');
    expect(run(object(UID, '7'), object(UID, '9'))).to.deep.equal(run(object(other, '17'), object(other, '18')));
    expect(run(object(UID, '7'), object(UID, '7'))).to.not.deep.equal(run(object(other, '17'), object(other, '18')));
  });

  it('fills requests with the values of this run, and refuses values that no answer had', () => {
    const values = new Placeholders();
    values.ofAnswer(object(UID, '7'));
    const request = values.ofRequest(object(UID, '7'));
    expect(request).to.deep.equal({ metadata: { uid: '<uid:1>', resourceVersion: '<rv:1>' }, message: 'uid <uid:1>' });
    expect(values.filled(request)).to.deep.equal(object(UID, '7'));
    expect(() => values.filled('<rv:2>')).to.throw('<rv:2>');
  });
});
