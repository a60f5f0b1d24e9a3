import { expect } from 'chai';
import { keyOf } from '../../storage/key.js';
import { ColdEntry } from '../../storage/testing/cold-entry.js';
import type { Entry, Reader } from '../read/reader.js';
import { CHEST, LAMP } from '../testing/house.js';
import { readAhead } from './read-ahead.js';

/** A lamp in a chest, which is in another chest, all of them on the disk. */
function cold() {
  const loads: string[] = [];
  const entries = new Map<string, Entry>();
  const add = (resource: string, namespace: string, name: string, container?: string) => {
    const key = keyOf(resource, namespace, name);
    entries.set(key, new ColdEntry(key, loads, { container }));
  };
  add(LAMP.qualified, 'hall', 'red', 'small');
  add(CHEST.qualified, 'hall', 'small', 'large');
  add(CHEST.qualified, 'hall', 'large');
  const entry = (resource: string, namespace: string, name: string) => entries.get(keyOf(resource, namespace, name));
  const registry = { reader: { entry } as unknown as Reader };
  return { registry, loads };
}

describe('what a request for an object reads', () => {
  it('is read ahead: the object and then its containers', async () => {
    const { registry, loads } = cold();
    const named = { kind: LAMP, namespace: 'hall', name: 'red' };
    await readAhead(registry, named);
    const chest = `${CHEST.qualified}/hall`;
    expect(loads).to.deep.equal([`${LAMP.qualified}/hall/red`, `${chest}/small`, `${chest}/large`]);
    expect(readAhead(registry, named)).to.equal(undefined);
  });

  it('ends, also if containers lie in each other', async () => {
    const loads: string[] = [];
    const own = new ColdEntry('chest', loads, { container: 'itself' });
    const registry = { reader: { entry: () => own } as unknown as Reader };
    await readAhead(registry, { kind: LAMP, namespace: 'hall', name: 'red' });
    expect(loads).to.deep.equal(['chest']);
  });
});
