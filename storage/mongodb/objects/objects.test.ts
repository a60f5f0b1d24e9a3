import { expect } from 'chai';
import type { Document } from 'mongodb';
import type { Change } from '../../backend.js';
import { type Key, keyOf } from '../../key.js';
import { objectChanges, objectCommands, withLargeObjects } from './objects.js';

const [NOTES, THINGS] = ['notes.x', 'things.x'] as const;
const key = (name: string, resource: string = NOTES): Key => keyOf(resource, '', name);
const value = Buffer.from('{}');
const change = (revision: number, name: string, more: Partial<Change> = { value }): Change => ({
  key: key(name),
  revision,
  ...more,
});
const previous = (name: string, revision = 1) => ({ key: key(name), revision, value });
const changesOf = (...changes: readonly Change[]) =>
  objectChanges(changes.map((one) => ({ end: one.revision, changes: [one], counters: new Map() })));

describe('the changes that commits leave to the objects', () => {
  it('are the last change of each object, by resource', () => {
    const { last } = changesOf(
      change(5, 'a'),
      change(6, 'b'),
      { ...change(7, 'c'), key: key('c', THINGS) },
      change(8, 'a', {}),
    );
    const plain = [...last].map(([resource, changes]) => [
      resource,
      [...changes.values()].map(({ revision }) => revision),
    ]);
    expect(plain).to.deep.equal([
      [NOTES, [8, 6]],
      [THINGS, [7]],
    ]);
  });

  it('know which objects exist before them', () => {
    const { existing } = changesOf(
      change(5, 'a', { value, previous: previous('a') }),
      change(6, 'a', { previous: previous('a', 5) }),
      change(7, 'a'),
      change(8, 'b'),
      change(9, 'b', { value, previous: previous('b', 8) }),
      change(10, 'c', { previous: previous('c') }),
    );
    expect([...existing]).to.deep.equal([key('a'), key('c')]);
  });
});

describe('the commands that write objects', () => {
  const commands = (fresh: number): readonly string[] => {
    const creations = Array.from({ length: fresh }, (_, i) => change(i + 3, `n${i}`));
    const sent: readonly Document[] = [
      ...objectCommands(changesOf(change(2, 'a', { value, previous: previous('a') }), ...creations)),
    ];
    return sent.map(({ documents, updates }) =>
      documents ? `${documents.length} inserted` : `${updates.length} updated`,
    );
  };

  it('write new objects together with the changed ones, unless there are at least four', () => {
    expect(commands(0)).to.deep.equal(['1 updated']);
    expect(commands(3)).to.deep.equal(['4 updated']);
    expect(commands(4)).to.deep.equal(['4 inserted', '1 updated']);
  });

  it('are in the order of the keys', () => {
    const [insert] = [...objectCommands(changesOf(change(1, 'c'), change(2, 'a'), change(3, 'b')))];
    expect(insert?.['documents'].map(({ _id }: Document) => _id)).to.deep.equal([key('a'), key('b'), key('c')]);
  });
});

describe('the documents of large objects', () => {
  const text = (values: number): Buffer => {
    const spec = { title: 'Long', rows: Array.from({ length: values }, (_, i) => i) };
    return Buffer.from(JSON.stringify({ metadata: { uid: 'u', labels: { team: 'a' } }, spec }));
  };

  it('are made of objects that were parsed in steps', async () => {
    let turns = 0;
    let isDone = false;
    const turn = (): void => {
      turns++;
      if (!isDone) setImmediate(turn);
    };
    setImmediate(turn);
    const changes = await withLargeObjects(changesOf(change(2, 'a', { value: text(300_000) })));
    isDone = true;
    expect(turns).to.be.greaterThan(10);
    const [{ documents }] = [...objectCommands(changes)] as unknown as [{ documents: readonly Document[] }];
    expect(documents[0]).to.deep.include({
      title: 'Long',
      metadata: { name: 'a', namespace: '', uid: 'u', labels: { team: 'a' } },
    });
  });

  it('repeat nothing of a value that is no JSON', async () => {
    const changes = await withLargeObjects(changesOf(change(2, 'a', { value: Buffer.alloc(2 ** 20, 'x') })));
    const [{ documents }] = [...objectCommands(changes)] as unknown as [{ documents: readonly Document[] }];
    expect(documents[0]?.['metadata']).to.deep.equal({ name: 'a', namespace: '' });
  });

  it('are not parsed again when they are made, whether the object was known or is no JSON', async () => {
    const known = { ...change(2, 'a', { value: text(300_000) }), object: { spec: { title: 'Known' } } };
    const changes = await withLargeObjects(
      changesOf(known, change(3, 'b', { value: text(300_000) }), change(4, 'c', { value: Buffer.alloc(2 ** 20, 'x') })),
    );
    const { parse } = JSON;
    let parsed = 0;
    JSON.parse = (...all) => {
      parsed++;
      return parse(...all);
    };
    try {
      const commands: readonly Document[] = [...objectCommands(changes)];
      const titles = commands.flatMap(({ documents }) => documents.map(({ title }: Document) => title));
      expect(titles).to.deep.equal(['Known', 'Long', undefined]);
    } finally {
      JSON.parse = parse;
    }
    expect(parsed).to.equal(0);
  });

  it('are made at once of small ones', async () => {
    const changes = changesOf(change(2, 'a', { value: text(3) }));
    expect((await withLargeObjects(changes)).last).to.deep.equal(changes.last);
  });
});
