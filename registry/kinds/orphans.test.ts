import { expect } from 'chai';
import { keyOf } from '../../storage/key.js';
import { MemoryEntry } from '../../storage/state/entry.js';
import type { Reader } from '../read/reader.js';
import { CHEST, LEAF } from '../testing/house.js';
import { readerOf } from '../testing/reader.js';
import type { Kind } from './kind.js';
import { isOrphaned, ownerExists } from './orphans.js';

/** One chest, which is stored as the owner of leaves. */
const chest = (uid: string): Reader => {
  const entry = new MemoryEntry(keyOf(CHEST.qualified, 'hall', 'oak'), 1, Buffer.from('{}'), {
    labels: undefined,
    fields: undefined,
    uid,
  });
  const found = (resource: string, namespace: string, name: string) =>
    keyOf(resource, namespace, name) === entry.key ? entry : undefined;
  return { entry: found } as unknown as Reader;
};
const leaf = (
  owner: { readonly name: string; readonly uid: string } | undefined,
  isTerminating = false,
  namespace = 'hall',
) =>
  new MemoryEntry(keyOf(LEAF.qualified, namespace, 'x'), 1, Buffer.from('{}'), {
    labels: undefined,
    fields: undefined,
    isTerminating,
    ...(owner && { owner }),
  });
const OWNER = { name: 'oak', uid: 'one' };

describe('an object that belongs to another one', () => {
  it('is gone if that is gone, or is another one of the same name', () => {
    expect(isOrphaned(LEAF, leaf(OWNER), chest('one'))).to.equal(false);
    expect(isOrphaned(LEAF, leaf(OWNER), chest('two'))).to.equal(true);
    expect(isOrphaned(LEAF, leaf(OWNER), readerOf([]))).to.equal(true);
    expect(isOrphaned(LEAF, leaf(OWNER, false, 'attic'), chest('one'))).to.equal(true);
  });

  it('is not gone if it is being deleted, because its finalizers must see it', () => {
    expect(isOrphaned(LEAF, leaf(OWNER, true), readerOf([]))).to.equal(false);
  });

  it('is not gone if it belongs to none', () => {
    expect(isOrphaned(LEAF, leaf(undefined), readerOf([]))).to.equal(false);
    const { dependsOn: _, ...independent } = LEAF;
    expect(isOrphaned(independent as Kind, leaf(OWNER), readerOf([]))).to.equal(false);
    expect(ownerExists(LEAF, 'hall', OWNER, chest('one'))).to.equal(true);
  });
});
