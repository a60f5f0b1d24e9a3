import { expect } from 'chai';
import type { Put } from '../backend.js';
import { type Key, keyOf } from '../key.js';
import { collectionsOf, type Prepared, prepare } from './prepare.js';

const MIB = 1024 * 1024;
const [NOTES, THINGS] = ['notes.x', 'things.x'] as const;
const key = (name: string, resource: string = NOTES): Key => keyOf(resource, '', name);
const put = (revision: number, name: string, more: Partial<Put> = { value: Buffer.from('{}') }): Put => ({
  key: key(name),
  revision,
  ...more,
});
const previous = (name: string) => ({ key: key(name), revision: 1, value: Buffer.from('{}') });

function prepared(changes: readonly Put[], after: number = 4): Promise<Prepared> {
  return prepare('s', after, { commit: 'c', changes, counters: new Map() });
}

function refusalOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => expect.fail('it was prepared'),
    (error: Error) => error,
  );
}

describe('a batch for MongoDB', () => {
  it('has the last change of each object, by resource, and their texts', async () => {
    const changes = [
      put(5, 'a', { value: Buffer.from('{"ä":1}') }),
      put(6, 'b'),
      { ...put(7, 'c'), key: key('c', THINGS) },
      put(8, 'a', {}),
    ];
    const { objects, texts, server, after, staged } = await prepared(changes);
    expect([...objects].map(([resource, puts]) => [resource, puts.map(({ revision }) => revision)])).to.deep.equal([
      [NOTES, [8, 6]],
      [THINGS, [7]],
    ]);
    expect([...texts].map(([{ revision }, text]) => [revision, text])).to.deep.equal([
      [5, '{"ä":1}'],
      [6, '{}'],
      [7, '{}'],
    ]);
    expect({ server, after, staged }).to.deep.equal({ server: 's', after: 4, staged: false });
  });

  it('knows which objects exist before it', async () => {
    const changes = [
      put(5, 'a', { value: Buffer.from('{}'), previous: previous('a') }),
      put(6, 'a', { previous: { ...previous('a'), revision: 5 } }),
      put(7, 'a'),
      put(8, 'b'),
      put(9, 'b', { value: Buffer.from('{}'), previous: { ...previous('b'), revision: 8 } }),
      put(10, 'c', { previous: previous('c') }),
    ];
    expect([...(await prepared(changes)).existing]).to.deep.equal([key('a'), key('c')]);
  });

  it('is refused if its revisions do not follow', async () => {
    expect((await refusalOf(prepared([put(5, 'a'), put(7, 'b')]))).message).to.contain('has the revision 7, not 6');
    expect((await refusalOf(prepared([put(4, 'a')]))).message).to.contain('has the revision 4, not 5');
  });

  it('stages its values if they have more than four mebibytes, with the previous ones', async () => {
    const half = { value: Buffer.alloc(2 * MIB, 32) };
    expect((await prepared([put(5, 'a', half), put(6, 'b', half)])).staged).to.equal(false);
    const before = { ...previous('c'), value: Buffer.alloc(1, 32) };
    const larger = [put(5, 'a', half), put(6, 'b', half), put(7, 'c', { previous: before })];
    expect((await prepared(larger)).staged).to.equal(true);
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

describe('the collections of a batch', () => {
  it('are those of its objects', async () => {
    const changes = [put(5, 'a', { value: Buffer.from('{}') }), put(6, 'b', { previous: previous('b') })];
    expect(collectionsOf(await prepared(changes))).to.deep.equal([NOTES]);
  });
});
