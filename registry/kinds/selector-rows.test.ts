import { expect } from 'chai';
import { encodeTuple } from '../../storage/state/tuple.js';
import { LAMP } from '../testing/house.js';
import type { Kind } from './kind.js';
import { fieldRow, labelRow, selectorRows } from './selector-rows.js';

const rowsOf = (kind: Kind, labels: Readonly<Record<string, string>> | undefined, colour = 'red') =>
  selectorRows(kind)({
    apiVersion: kind.apiVersion,
    kind: kind.kind,
    metadata: { name: 'a', ...(labels && { labels }) },
    spec: { colour },
  });

describe('the rows by which lists find objects', () => {
  it('are one for each field and label', () => {
    expect(rowsOf(LAMP, { a: 'x', b: '' })).to.deep.equal([
      { index: 'field', tuple: encodeTuple(['spec.colour', 'red']) },
      { index: 'label', tuple: encodeTuple(['a', 'x']) },
      { index: 'label', tuple: encodeTuple(['b', '']) },
    ]);
    expect(rowsOf(LAMP, undefined)).to.have.length(1);
    expect(rowsOf({ ...LAMP, selectableFields: {} }, undefined)).to.deep.equal([]);
  });

  it('are the same that a list looks for', () => {
    const [field, label] = rowsOf(LAMP, { a: 'x' });
    expect([field, label]).to.deep.equal([fieldRow('spec.colour', 'red'), labelRow('a', 'x')]);
  });

  it('leave out the labels of the server, which are different for each object', () => {
    expect(rowsOf(LAMP, { [LAMP.ownedKeys.internalId]: '7' })).to.have.length(1);
  });

  it('are none for internal kinds, which nobody lists', () => {
    expect(rowsOf({ ...LAMP, served: false }, { a: 'x' })).to.deep.equal([]);
  });

  it('are right for names that look alike, for long ones, and for many', () => {
    expect(labelRow('a', 'b=c').tuple).to.equal(encodeTuple(['a', 'b=c']));
    expect(labelRow('ab', 'c').tuple).to.equal(encodeTuple(['ab', 'c']));
    for (const length of [198, 199, 200, 201, 1000])
      expect(labelRow('a', 'x'.repeat(length)).tuple).to.equal(encodeTuple(['a', 'x'.repeat(length)]));
    for (let i = 0; i < 5000; i++) expect(labelRow('n', String(i)).tuple).to.equal(encodeTuple(['n', String(i)]));
    expect(labelRow('n', '0').tuple).to.equal(encodeTuple(['n', '0']));
  });
});
