import { expect } from 'chai';
import { encodeText } from '../../storage/codec.js';
import { keyOf } from '../../storage/key.js';
import type { ResourceDefinition } from '../../storage/resource.js';
import type { Held } from '../../storage/snapshot.js';
import { encodeTuple } from '../../storage/tuple.js';
import { library } from '../testing/library.js';
import { type Definitions, definitionsOf, rightRows } from './rows.js';

const { book, slip } = library();
const DEFINITIONS = definitionsOf([book, slip]);
const held = (kind: typeof slip, spec: object, rows: Held['rows'] = []): Held => ({
  key: keyOf(kind.qualified, 'default', 'a'),
  revision: 1,
  value: encodeText(JSON.stringify({ metadata: { name: 'a', namespace: 'default' }, spec }), 1),
  rows,
});
/** Slips with other rows. */
const definitionsWith = (more: Partial<ResourceDefinition>): Definitions =>
  new Map([
    [slip.qualified, { resource: slip.qualified, cached: false, extract: () => ({}), ...more } as ResourceDefinition],
  ]);
const EXPIRES = { index: 'expiry', tuple: encodeTuple([5]) };
const OF_B = encodeTuple(['default', 'b', 'u']);
const DEPENDS = { index: 'dependent', tuple: OF_B, counted: OF_B };

describe('the rows that an object should have', () => {
  it('are unknown if it has them, in any order and number', () => {
    expect(rightRows(DEFINITIONS, held(slip, { at: '5' }, [EXPIRES]))).to.equal(undefined);
    expect(rightRows(DEFINITIONS, held(slip, { at: '5', of: 'b', uid: 'u' }, [EXPIRES, DEPENDS, EXPIRES]))).to.equal(
      undefined,
    );
    expect(rightRows(DEFINITIONS, held(slip, {}))).to.equal(undefined);
  });

  it('are told if it has others, too few, or too many, or is counted under another tuple', () => {
    expect(rightRows(DEFINITIONS, held(slip, { at: '5' }))).to.deep.equal([EXPIRES]);
    expect(rightRows(DEFINITIONS, held(slip, {}, [EXPIRES]))).to.deep.equal([]);
    expect(rightRows(DEFINITIONS, held(slip, { at: '5' }, [{ ...EXPIRES, tuple: encodeTuple([6]) }]))).to.deep.equal([
      EXPIRES,
    ]);
    expect(rightRows(DEFINITIONS, held(slip, { at: '5' }, [{ ...EXPIRES, index: 'other' }]))).to.deep.equal([EXPIRES]);
    const { counted: _, ...uncounted } = DEPENDS;
    expect(rightRows(DEFINITIONS, held(slip, { of: 'b', uid: 'u' }, [uncounted]))).to.deep.equal([DEPENDS]);
    const other = { ...DEPENDS, counted: encodeTuple(['default']) };
    expect(rightRows(DEFINITIONS, held(slip, { of: 'b', uid: 'u' }, [other]))).to.deep.equal([DEPENDS]);
  });

  it('are a set, also what they are counted under', () => {
    const rows = ['1', '2'].map((tuple) => ({ index: 'byTag', tuple: `t${tuple}`, counted: `c${tuple}` }));
    const definitions = definitionsWith({ rows: () => rows });
    expect(rightRows(definitions, held(slip, {}, rows))).to.equal(undefined);
    expect(rightRows(definitions, held(slip, {}, [...rows].reverse()))).to.equal(undefined);
  });

  it('are none of a kind without indexes', () => {
    expect(rightRows(definitionsWith({}), held(slip, {}))).to.equal(undefined);
    expect(rightRows(definitionsWith({}), held(slip, {}, [EXPIRES]))).to.deep.equal([]);
  });

  it('are none of a kind that is in memory, and unknown of a kind that the server does not have', () => {
    expect(rightRows(DEFINITIONS, held(book, { title: 'x' }))).to.equal(undefined);
    expect(rightRows(DEFINITIONS, held(book, { title: 'x' }, [EXPIRES]))).to.deep.equal([]);
    expect(rightRows(new Map(), held(slip, { at: '5' }))).to.equal(undefined);
  });
});
