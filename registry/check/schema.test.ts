import { expect } from 'chai';
import { z } from 'zod';
import type { Kind } from '../kinds/kind.js';
import { objectOfKind } from '../testing/write-context.js';
import { PAGE } from '../write/testing/pages.js';
import { fieldProblems } from './schema.js';

const KIND = { ...PAGE, spec: z.strictObject({ title: z.string() }), status: z.strictObject({ seen: z.number() }) };
const problems = (kind: object, more: object) =>
  fieldProblems(kind as Kind, { ...objectOfKind(PAGE, 'a', { title: 'A' }), ...more }).map(
    (text) => text.split(':')[0],
  );

describe('the fields of a stored object', () => {
  it('are those of the schemas of its kind, and the status may be absent', () => {
    expect(problems(KIND, {})).to.deep.equal([]);
    expect(problems(KIND, { status: { seen: 1 } })).to.deep.equal([]);
    expect(problems(KIND, { spec: { title: 1 } })).to.deep.equal(['spec.title']);
    expect(problems(KIND, { status: { seen: 'x' } })).to.deep.equal(['status.seen']);
  });

  it('are not looked at where the kind has no schema', () => {
    expect(problems({ ...KIND, spec: undefined, status: undefined }, { spec: 1, status: 2 })).to.deep.equal([]);
  });

  it('are beside the metadata in kinds that have them there', () => {
    const members = { ...KIND, spec: undefined, members: z.strictObject({ note: z.string() }) };
    const { spec: _, ...object } = objectOfKind(PAGE, 'a');
    const of = (more: object) => fieldProblems(members as unknown as Kind, { ...object, ...more });
    expect(of({ note: 'n' })).to.deep.equal([]);
    expect(of({ note: 1 })).to.have.length(1);
    expect(of({ note: 'n', other: 1 })).to.have.length(1);
  });
});
