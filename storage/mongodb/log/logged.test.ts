import { expect } from 'chai';
import type { Change } from '../../backend.js';
import { keyOf } from '../../key.js';
import type { LoggedCommit } from '../../transfer/snapshot.js';
import { logDocuments } from './logged.js';

const key = keyOf('notes.tests.svc.app', 'default', 'a');
const MIB = 1024 * 1024;

function commitOf(end: number, changes: readonly Change[], counters: Readonly<Record<string, number>> = {}) {
  return { end, changes, at: 1000 + end, counters: new Map(Object.entries(counters)) } satisfies LoggedCommit;
}

/** The name of a commit, which is random, and its changes without it. */
function documentsOf(commits: readonly LoggedCommit[]) {
  const { changes, staged } = logDocuments(commits);
  return { changes, staged, names: changes.map(({ commit }) => commit) };
}

describe('the log of a database that is filled', () => {
  const value = (text: string): Uint8Array => Buffer.from(text);

  it('has a document for each change, with its values, and the counters at the last of a commit', () => {
    const previous = { key, revision: 1, value: value('{"ä":1}') };
    const commits = [
      commitOf(2, [
        { key, revision: 1, value: value('{"ä":1}') },
        { key, revision: 2, value: value('{}'), previous },
      ]),
      commitOf(
        4,
        [
          { key, revision: 3, previous },
          { key, revision: 4, value: value('{}') },
        ],
        { 'a.b': 3 },
      ),
    ];
    const { changes, staged, names } = documentsOf(commits);
    const [first, , second] = names;
    const one = { key, end: 2, commit: first, at: new Date(1002) };
    const two = { key, end: 4, commit: second, at: new Date(1004) };
    const before = { revision: 1, body: '{"ä":1}' };
    expect(changes).to.deep.equal([
      { _id: 1, ...one, body: '{"ä":1}' },
      { _id: 2, ...one, body: '{}', previous: before },
      { _id: 3, ...two, previous: before },
      { _id: 4, ...two, body: '{}', counters: { 'a/b': 3 } },
    ]);
    expect(staged).to.deep.equal([]);
    expect(new Set(names).size).to.equal(2);
  });

  it('has the values of a change apart, if they are too large for one document', () => {
    const half = Buffer.alloc(3.5 * MIB, 'x');
    const previous = { key, revision: 1, value: half };
    const more = Buffer.alloc(3.5 * MIB + 1, 'y');
    const { changes, staged, names } = documentsOf([
      commitOf(2, [{ key, revision: 2, value: half, previous }]),
      commitOf(3, [{ key, revision: 3, value: more, previous }]),
      commitOf(4, [{ key, revision: 4, previous: { ...previous, value: Buffer.alloc(7 * MIB + 1, 'z') } }]),
      commitOf(5, [{ key, revision: 5, value: Buffer.alloc(7 * MIB + 1, 'w') }]),
    ]);
    const own = changes.map(({ body, previous, staged }) => [body?.length, previous?.body?.length, staged]);
    expect(own).to.deep.equal([
      [half.length, half.length, undefined],
      [undefined, undefined, `${names[1]}@3`],
      [undefined, undefined, undefined],
      [undefined, undefined, `${names[3]}@5`],
    ]);
    expect(changes.map(({ previous }) => previous?.revision)).to.deep.equal([1, 1, 1, undefined]);
    expect(staged.map(({ _id, body, change }) => [_id, body.length, body[0], change])).to.deep.equal([
      [`${key}@1`, half.length, 'x', 3],
      [`${names[1]}@3`, more.length, 'y', 3],
      [`${key}@1`, 7 * MIB + 1, 'z', 4],
      [`${names[3]}@5`, 7 * MIB + 1, 'w', 5],
    ]);
  });
});
