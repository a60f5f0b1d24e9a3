import { expect } from 'chai';
import { Binary, type Document } from 'mongodb';
import type { Batch, Put } from '../../backend.js';
import { created } from '../../testing/mongodb.js';
import { appendCommand } from './commit.js';
import { prepare } from './prepare.js';

const MIB = 1024 * 1024;
const batchOf = (changes: readonly Put[], more: Partial<Batch> = {}): Batch => ({
  commitId: 'c',
  changes,
  counters: new Map(),
  ...more,
});

async function commandOf(after: number, batch: Batch): Promise<Document> {
  return appendCommand(await prepare('s', after, batch), 1234);
}

describe('the command of a commit to MongoDB', () => {
  it('moves the end of the log by compare-and-set, and stops there if it is elsewhere', async () => {
    const command = await commandOf(3, batchOf([created(4), created(5)], { parent: 'p' }));
    expect(command).to.include({ update: 'changes', ordered: true });
    expect(command['writeConcern']).to.deep.equal({ w: 'majority', j: true, wtimeout: 1234 });
    const [head, commit] = command['updates'];
    expect(head.q).to.deep.equal({ _id: 'log', revision: 3, commit: 'p' });
    expect(head.u.$set).to.include({ revision: 5, from: 4, commit: 'c', parent: 'p', writer: 's c' });
    // MongoDB refuses this document, so an end elsewhere is an error, and the next statement does not run.
    expect([head.upsert, head.u.$setOnInsert]).to.deep.equal([true, { _id: 'elsewhere' }]);
    expect(commit.q).to.deep.equal({ _id: 5 });
    expect(commit.u.$set).to.include({ from: 4, commit: 'c', parent: 'p' });
  });

  it('has the commit in both documents', async () => {
    const command = await commandOf(0, batchOf([created(1)]));
    const [head, commit] = command['updates'].map(({ u }: Document) => u.$set.segment);
    expect(head).to.be.instanceOf(Binary).and.deep.equal(commit);
    expect(command['updates'][0].u.$unset).to.deep.equal({ parts: '' });
  });

  it('names the parts of a large commit instead', async () => {
    const value = Buffer.alloc(MIB, ' ');
    const command = await commandOf(0, batchOf([1, 2, 3].map((revision) => created(revision, undefined, { value }))));
    for (const { u } of command['updates']) expect(u.$set).to.include({ parts: 2 }).and.not.have.property('segment');
    expect(command['updates'][0].u.$unset).to.deep.equal({ segment: '' });
  });

  it('without changes leaves the last commit as it is', async () => {
    const command = await commandOf(3, batchOf([], { counters: new Map([['a.b', 7]]) }));
    expect(command['updates']).to.have.length(1);
    const { $set, $max, $unset } = command['updates'][0].u;
    expect($set).to.deep.equal({ revision: 3, writer: 's c' });
    expect($max).to.deep.equal({ 'counters.a/b': 7 });
    expect($unset).to.equal(undefined);
  });
});
