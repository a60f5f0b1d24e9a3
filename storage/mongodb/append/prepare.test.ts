import { expect } from 'chai';
import type { Put } from '../../backend.js';
import { type Key, keyOf } from '../../key.js';
import { type Prepared, prepare } from './prepare.js';

const MIB = 1024 * 1024;
const NOTES = 'notes.x';
const key = (name: string, resource: string = NOTES): Key => keyOf(resource, '', name);
const put = (revision: number, name: string, more: Partial<Put> = { value: Buffer.from('{}') }): Put => ({
  key: key(name),
  revision,
  ...more,
});

function prepared(changes: readonly Put[], after: number = 4): Promise<Prepared> {
  return prepare('s', after, { commitId: 'c', changes, counters: new Map() });
}

function refusalOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.fail('it was prepared'),
    (error: Error) => error,
  );
}

describe('a batch for MongoDB', () => {
  it('is refused if its revisions do not follow', async () => {
    expect((await refusalOf(prepared([put(5, 'a'), put(7, 'b')]))).message).to.contain('has the revision 7, not 6');
    expect((await refusalOf(prepared([put(4, 'a')]))).message).to.contain('has the revision 4, not 5');
  });

  it('has parts if it has more than a mebibyte, each of eight at most', async () => {
    const value = (length: number) => ({ value: Buffer.alloc(length, 32) });
    const small = await prepared([put(5, 'a', value(MIB / 2)), put(6, 'b', value(MIB / 4))]);
    expect([small.segment === undefined, small.parts.length]).to.deep.equal([false, 0]);
    const large = await prepared([put(5, 'a', value(MIB / 2)), put(6, 'b', value(MIB / 2))]);
    expect([large.segment, large.parts.map(({ isEnd }) => isEnd)]).to.deep.equal([undefined, [true]]);
    const huge = await prepared([put(5, 'a', value(9 * MIB)), put(6, 'b')]);
    expect(huge.parts.map(({ isEnd }) => isEnd)).to.deep.equal([false, true, true]);
    for (const { bytes } of huge.parts) expect(bytes.byteLength).to.be.at.most(8 * MIB);
  });

  it('is refused if an object is larger than a document may be', async () => {
    const value = Buffer.alloc(15 * MIB, 32);
    await prepared([put(5, 'a', { value })]);
    const larger = Buffer.alloc(15 * MIB + 1, 32);
    expect(await refusalOf(prepared([put(5, 'a', { value: larger })]))).to.include({
      message: `${key('a')} takes ${larger.length} bytes, but MongoDB can store at most ${15 * MIB} for one object.`,
      code: 'rejected',
      key: key('a'),
    });
  });
});
