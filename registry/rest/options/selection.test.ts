import { expect } from 'chai';
import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { keyOf } from '../../../storage/key.js';
import { MemoryEntry } from '../../../storage/state/entry.js';
import type { Kind } from '../../kinds/kind.js';
import { parseSelection } from './selection.js';

const entry = new MemoryEntry(keyOf('things', '', 'a'), 1, Buffer.from('{}'), { labels: { size: 'L' }, fields: {} });
const never = (): never => {
  throw new Error('it is not converted');
};

describe('a selector of labels', () => {
  it('does not convert the objects of a version with the same fields, because that may take long', () => {
    const kind = { ownedKeys: { labels: [] }, conversion: { convert: never, keepsFields: true } } as unknown as Kind;
    expect(['size=L', 'size!=L', '!size'].map((one) => parseSelection(kind, one, '').matches(entry))).to.deep.equal([
      true,
      false,
      false,
    ]);
  });
});

describe('a selector of a field', () => {
  const selected = (fieldsMayChange: boolean, known?: string) => {
    const selectableFields = { 'spec.place': ({ spec }: KubeObject) => (spec as { place: string }).place };
    const kind = { fieldsMayChange, selectableFields } as unknown as Kind;
    const fields = known === undefined ? undefined : { 'spec.place': known };
    const stored = Buffer.from('{"metadata":{"name":"a"},"spec":{"place":"attic"}}');
    const one = new MemoryEntry(keyOf('things', '', 'a'), 1, stored, { labels: undefined, fields });
    const selectors = ['spec.place=attic', 'spec.place!=attic', 'spec.place=', 'spec.place=hall'];
    return selectors.filter((selector) => parseSelection(kind, '', selector).matches(one));
  };

  it('reads the objects that were stored before the field became selectable', () => {
    expect(selected(true)).to.deep.equal(['spec.place=attic']);
  });

  it('does not read the objects whose value is known, or whose kind has the same fields for ever', () => {
    expect(selected(true, 'hall')).to.deep.equal(['spec.place!=attic', 'spec.place=hall']);
    expect(selected(false)).to.deep.equal(['spec.place!=attic', 'spec.place=']);
  });
});
