import { expect } from 'chai';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { keyOf } from '../../storage/key.js';
import { encodeText, textOfObject } from '../../storage/state/codec.js';
import { MemoryEntry } from '../../storage/state/entry.js';
import { withTurns } from '../../storage/testing/passed-turns.js';
import { objectOf, parsedAhead, parsedSteps } from './reader.js';

const objectWith = (panels: number): KubeObject =>
  ({
    apiVersion: 'x/v1',
    kind: 'X',
    metadata: { name: 'x' },
    spec: {
      large: 9007199254740993n,
      panels: Array.from({ length: panels }, (_, id) => ({ id, title: `panel ${id}` })),
    },
  }) as unknown as KubeObject;

const entryWith = (panels: number): MemoryEntry =>
  new MemoryEntry(keyOf('xs.x', '', 'x'), 1, encodeText(textOfObject(objectWith(panels)), 1), {
    labels: {},
    fields: {},
  });

describe('a large stored object', () => {
  it('is parsed in steps, and is then there for who asks for it', async () => {
    const entry = entryWith(60_000);
    const [, turns] = await withTurns(async () => parsedAhead(entry));
    expect(turns).to.be.greaterThan(90);
    const object = objectOf(entry);
    const { resourceVersion, ...metadata } = object.metadata;
    expect(resourceVersion).to.equal('1');
    expect({ ...object, metadata }).to.deep.equal(objectWith(60_000));
    expect(parsedAhead(entry), 'again').to.equal(undefined);
    expect(objectOf(entry)).to.equal(object);
  });

  it('is parsed one at a time, because a parsed object takes much memory', async () => {
    const [first, second] = [entryWith(60_000), entryWith(60_001)];
    const done: string[] = [];
    await Promise.all([
      parsedAhead(second)?.then(() => done.push('second')),
      parsedAhead(first)?.then(() => done.push('first')),
      parsedAhead(second)?.then(() => done.push('second again')),
    ]);
    expect(done).to.deep.equal(['second', 'first', 'second again']);
  });

  it('is parsed in steps by a transaction that does not find it parsed', () => {
    const steps = parsedSteps(entryWith(60_000));
    let [count, step] = [1, steps.next()];
    for (; step.done !== true; step = steps.next()) count++;
    expect(count).to.be.greaterThan(90);
    expect(step.value.spec).to.deep.equal(objectWith(60_000).spec);
  });

  it('is parsed at once if it is small', () => {
    expect(parsedSteps(entryWith(100)).next().done).to.equal(true);
    expect(parsedAhead(entryWith(100))).to.equal(undefined);
    expect(parsedAhead(undefined)).to.equal(undefined);
  });
});
