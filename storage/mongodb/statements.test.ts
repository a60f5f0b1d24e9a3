import { expect } from 'chai';
import { Binary, type Document } from 'mongodb';
import type { Batch, Put } from '../backend.js';
import { encodeWhole } from '../log/segment.js';
import { created } from '../testing/mongodb.js';
import { writeBatch } from './commit.js';
import { prepare } from './prepare.js';

const RESOURCE = 'notes.tests.svc.app';
const [KIB, MIB] = [1024, 1024 * 1024] as const;
const text = (length: number): Buffer => Buffer.alloc(length, ' ');
const batchOf = (changes: readonly Put[]): Batch => ({ commit: 'c', changes, counters: new Map() });
const creations = (count: number, from: number = 1): readonly Put[] =>
  Array.from({ length: count }, (_, i) => created(from + i));
/** A new value of an object that had one of so many characters. */
const replaced = (revision: number, name: string, before: number, value: Buffer): Put =>
  created(revision, name, { value, previous: { key: created(1, name).key, revision: 1, value: text(before) } });

interface State {
  readonly isFollowed?: boolean;
  readonly isSplit?: boolean;
}

/** The statements of a commit to a database that agrees to each. */
async function statements(changes: readonly Put[], state: State = {}): Promise<readonly Document[]> {
  const sent: Document[] = [];
  const statement = async (_session: unknown, command: Document): Promise<Document> => {
    sent.push(command);
    return { n: command['updates']?.length, value: { at: new Date(0) } };
  };
  const { isFollowed = false, ...more } = state;
  const prepared = { ...(await prepare('s', (changes[0]?.revision ?? 1) - 1, batchOf(changes))), ...more };
  expect(await writeBatch({ isFollowed, statement } as never, {} as never, prepared)).to.equal(true);
  return sent;
}

/** How many documents each insert into the collection has. */
function inserts(sent: readonly Document[], collection: string): readonly number[] {
  return sent.filter(({ insert }) => insert === collection).map(({ documents }) => documents.length);
}

describe('the statements of a commit to MongoDB', () => {
  const withoutValue = encodeWhole(0, batchOf([created(1, 'a', { value: text(50_000) })])).byteLength - 50_000;
  const ofLength = (length: number): Put => created(1, 'a', { value: text(length - withoutValue) });

  it('tell the servers that follow the log the whole commit, if it has 64 KiB at most', async () => {
    for (const change of [created(1), ofLength(64 * KIB)]) {
      const [first] = await statements([change], { isFollowed: true });
      const [head, commit]: readonly Document[] = first?.['updates'] ?? [];
      expect(head?.['u'].$set.segment).to.be.instanceOf(Binary).and.to.equal(commit?.['u'].$set.segment);
      expect(head?.['u']).not.to.have.property('$unset');
    }
  });

  it('otherwise leave no commit at the end of the log', async () => {
    const followed = { isFollowed: true };
    for (const [changes, state] of [
      [[created(1)], { isFollowed: false }],
      [[ofLength(64 * KIB + 1)], followed],
      [[created(1)], { ...followed, isSplit: true }],
      [[], followed],
    ] as const) {
      const [first] = await statements(changes, state);
      const head: Document = first?.['updates']?.[0].u ?? first?.['update'];
      expect(head['$set']).not.to.have.property('segment');
      expect(head['$unset']).to.deep.equal({ segment: '' });
    }
  });

  it('write a document for each change, if there are more than 10,000 or their values are staged', async () => {
    expect(inserts(await statements(creations(10_000)), 'changes')).to.deep.equal([]);
    expect(inserts(await statements(creations(10_001)), 'changes')).to.deep.equal([
      ...Array.from({ length: 10 }, () => 1000),
      1,
    ]);
    const large = [1, 2, 3].map((revision) => created(revision, undefined, { value: text(1.5 * MIB) }));
    const sent = await statements(large);
    expect(inserts(sent, 'changes')).to.deep.equal([3]);
    // No two of the objects fit in a command.
    expect(inserts(sent, RESOURCE)).to.deep.equal([1, 1, 1]);
  });

  it('have two mebibytes of the log at most, with the previous values', async () => {
    const changes = [2, 3].map((revision) => replaced(revision, `n${revision}`, 0.75 * MIB, text(MIB)));
    expect(inserts(await statements(changes, { isSplit: true }), 'changes')).to.deep.equal([1, 1]);
  });

  it('write new objects together with the changed ones, unless there are at least four', async () => {
    const counts = async (fresh: number): Promise<readonly string[]> => {
      const [, ...sent] = await statements([replaced(2, 'a', 2, text(2)), ...creations(fresh, 3)]);
      return sent.map(({ documents, updates }) =>
        documents ? `${documents.length} inserted` : `${updates.length} updated`,
      );
    };
    expect(await counts(0)).to.deep.equal(['1 updated']);
    expect(await counts(3)).to.deep.equal(['4 updated']);
    expect(await counts(4)).to.deep.equal(['4 inserted', '1 updated']);
  });
});
