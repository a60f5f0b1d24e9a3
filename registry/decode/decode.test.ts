import { expect } from 'chai';
import { z } from 'zod';
import { recordOf } from '../../pkg/kube/meta/bounded.js';
import type { KubeObject } from '../../pkg/kube/meta/types.js';
import { ApiError } from '../../pkg/kube/status/status.js';
import { builtInConventions } from '../kinds/conventions.js';
import type { Kind } from '../kinds/kind.js';
import { bodyOf, LAMP, MEMO } from '../testing/house.js';
import { causesOf, completeTypeMeta, decodeSpec, decodeTyped, isBare, parseFields } from './decode.js';

const lamp = (spec: unknown, more: object = {}): object => ({ ...bodyOf(LAMP, 'desk'), spec, ...more });

interface Refusal {
  readonly code: number;
  readonly message: string;
  readonly causes: readonly (readonly (string | undefined)[])[];
  readonly name: string | undefined;
}

function refusalOf(work: () => unknown): Refusal {
  try {
    work();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { code, message, details } = error;
    const causes = (details?.causes ?? []).map(({ reason, message: text, field }) => [reason, text, field]);
    return { code, message, causes, name: details?.name };
  }
  throw new Error('it was not refused');
}
const refused = (value: unknown, kind: Kind = LAMP, part?: 'spec' | 'status') =>
  refusalOf(() => decodeTyped(kind, value, part));
const causes = (spec: unknown) => refused(lamp(spec)).causes;

describe('the type of a body', () => {
  it('must be an object', () => {
    for (const value of [null, undefined, 1, 'text', [], [lamp({ watts: 1 })]])
      expect(refused(value)).to.include({ code: 400, message: 'the body must be a JSON object of kind Lamp' });
  });

  it('must be the kind, by name and by version, and the refusal says what it is', () => {
    const kindOf = (kind: unknown) => refused({ ...lamp({ watts: 1 }), kind }).message;
    expect(kindOf('Light')).to.equal('the kind in the data (Light) does not match the expected kind (Lamp)');
    expect(kindOf(undefined)).to.include('(none)');
    expect(kindOf(7)).to.include('(number)');
    expect(kindOf('x'.repeat(1000))).to.include(`(${'x'.repeat(100)})`);
    const { code, message } = refused({ ...lamp({ watts: 1 }), apiVersion: 'house.svc.app/v2' });
    expect(code).to.equal(400);
    expect(message).to.equal(
      'the API version in the data (house.svc.app/v2) does not match the expected API version (house.svc.app/v1)',
    );
    const { kind: _, ...kindless } = lamp({}) as { readonly kind: string };
    expect(refused(kindless).code).to.equal(400);
  });

  it('may be left out for kinds that accept that, but only as a whole', () => {
    const bare = { ...LAMP, conventions: builtInConventions };
    const { object } = decodeTyped(bare, { metadata: { name: 'desk' }, spec: { watts: 1 } });
    expect(object).to.include({ apiVersion: LAMP.apiVersion, kind: 'Lamp' });
    expect(decodeTyped(bare, lamp({ watts: 1 })).object).to.include({ kind: 'Lamp' });
    expect(refused({ spec: { watts: 1 }, kind: 'Lamp' }, bare).code).to.equal(400);
    expect(refused({ spec: { watts: 1 }, apiVersion: LAMP.apiVersion }, bare).code).to.equal(400);
    expect(refused({ metadata: { name: 'desk' }, spec: { watts: 1 } }).code).to.equal(400);
  });

  it('is bare without apiVersion and kind', () => {
    expect([{}, { spec: 1 }, { kind: 'Lamp' }, { apiVersion: 'v1' }, null, 'text'].map(isBare)).to.deep.equal([
      true,
      true,
      false,
      false,
      false,
      false,
    ]);
  });

  it('is completed with empty metadata', () => {
    const type = { apiVersion: 'v1', kind: 'Thing' };
    expect(completeTypeMeta(type, { ...type, a: 1 }, false)).to.deep.equal({ ...type, a: 1, metadata: {} });
    expect(completeTypeMeta(type, { a: 1 }, true)).to.deep.equal({ ...type, a: 1, metadata: {} });
    expect(completeTypeMeta(type, { ...type, metadata: { name: 'n' } }, true)['metadata']).to.deep.equal({ name: 'n' });
  });
});

describe('an object', () => {
  it('is what the body has', () => {
    const { object, unknownFields } = decodeTyped(LAMP, lamp({ watts: 5, colour: 'red' }));
    expect(object).to.deep.include({ apiVersion: LAMP.apiVersion, kind: 'Lamp', spec: { watts: 5, colour: 'red' } });
    expect(object.metadata.name).to.equal('desk');
    expect(unknownFields).to.deep.equal([]);
  });

  it('is refused with the reason, the problem and the path of each wrong field', () => {
    expect(causes({ watts: 'five' })).to.deep.equal([
      ['FieldValueTypeInvalid', 'Invalid value: expected number, received string', 'spec.watts'],
    ]);
    expect(causes({})).to.deep.equal([['FieldValueRequired', 'Required value: must not be left out', 'spec.watts']]);
    expect(causes({ watts: 1, colour: 'x'.repeat(21) })).to.deep.equal([
      ['FieldValueTooLong', 'Invalid value: Too big: expected string to have <=20 characters', 'spec.colour'],
    ]);
    expect(causes({ watts: -1 })[0]?.[0]).to.equal('FieldValueInvalid');
    expect(causes({ watts: 'x', shades: [{ cloth: 'a' }, { cloth: 1 }] }).map(([, , field]) => field)).to.deep.equal([
      'spec.watts',
      'spec.shades[1].cloth',
    ]);
    expect(refused(lamp({})).name).to.equal('desk');
    expect(refused({ ...lamp({}), metadata: { name: 'x'.repeat(1000) } }).name).to.have.length(300);
    expect(refused({ ...lamp({}), metadata: { name: 1 } }).name).to.be.oneOf(['', undefined]);
    expect(refused({ ...lamp({}), metadata: null }).code).to.equal(422);
  });

  it('names the values that a field may have', () => {
    const Colour = z.strictObject({ colour: z.enum(['red', 'blue']) });
    const { issues } = parseFields(Colour, { colour: 'green' });
    expect(causesOf(issues)).to.deep.equal([
      {
        reason: 'FieldValueNotSupported',
        message: 'Invalid value: expected one of "red"|"blue"',
        field: 'colour',
      },
    ]);
  });

  it('that is absent is refused with the words of the schema, if it has its own', () => {
    const named = z
      .strictObject({ watts: z.int().optional() })
      .refine(({ watts }) => watts !== undefined, 'say how bright');
    const Named = {
      ...LAMP,
      spec: z.strictObject({ bulb: z.unknown().refine((bulb) => bulb !== undefined, 'name it') }),
    };
    expect(refused(lamp({}), { ...LAMP, spec: named }).causes[0]?.[1]).to.equal('Invalid value: say how bright');
    expect(refused(lamp({}), Named).causes).to.deep.equal([
      ['FieldValueInvalid', 'Invalid value: name it', 'spec.bulb'],
    ]);
  });

  it('is refused with at most 100 causes, and with no path of any length', () => {
    const shades = Array.from({ length: 20 }, () => ({ cloth: 1 }));
    expect(causes({ watts: 1, shades })).to.have.length(20);
    const Many = z.array(z.string());
    const { issues } = parseFields(Many, Array(150).fill(1));
    expect(causesOf(issues)).to.have.length(100);
    const Keys = z.record(z.string(), z.string());
    const long = parseFields(Keys, { ['x'.repeat(1000)]: 1 });
    expect(causesOf(long.issues)[0]?.field).to.have.length(300);
  });

  it('does not have what is null in the body, as YAML has it for an empty value', () => {
    const { object, unknownFields } = decodeTyped(LAMP, lamp({ watts: 1, colour: null, shades: null }));
    expect(object.spec).to.deep.equal({ watts: 1 });
    expect(unknownFields).to.deep.equal([]);
    expect(causes({ watts: null })[0]).to.include('FieldValueRequired');
    expect(refused(lamp(null)).causes[0])
      .to.include('FieldValueRequired')
      .and.include('spec');
    // A null in a list is an empty item, which lacks its members here.
    expect(causes({ watts: 1, shades: [null] })[0]).to.include('FieldValueRequired');
  });

  it('of a kind without a spec does not have members that are null', () => {
    const { object } = decodeTyped(MEMO, { ...bodyOf(MEMO, 'm'), text: null, more: { a: 1 } });
    expect(object).to.not.have.property('text');
    expect(object).to.deep.include({ more: { a: 1 } });
  });
});

describe('unknown fields of an object', () => {
  it('are dropped at every depth, named by their paths, and the body stays as it was', () => {
    const body = lamp(
      { watts: 1, extra: 1, shades: [{ cloth: 'a' }, { cloth: 'b', worn: true, old: 1 }] },
      { more: 1 },
    );
    const before = structuredClone(body);
    const { object, unknownFields } = decodeTyped(LAMP, body);
    expect(object).to.deep.include({ spec: { watts: 1, shades: [{ cloth: 'a' }, { cloth: 'b' }] } });
    expect(object).to.not.have.property('more');
    expect([...unknownFields].sort()).to.deep.equal(
      ['more', 'spec.extra', 'spec.shades[1].old', 'spec.shades[1].worn'].sort(),
    );
    expect(body).to.deep.equal(before);
  });

  it('are dropped together with nulls beside them', () => {
    const { object, unknownFields } = decodeTyped(LAMP, lamp({ watts: 1, extra: 1, colour: null, shades: [] }));
    expect(object.spec).to.deep.equal({ watts: 1, shades: [] });
    expect(unknownFields).to.deep.equal(['spec.extra']);
  });

  it('do not hide what is wrong', () => {
    const { code, causes: found } = refused(lamp({ watts: 'x', extra: 1 }));
    expect([code, found.map(([, , field]) => field)]).to.deep.equal([422, ['spec.watts']]);
    // It may be left out, but it is not.
    expect(causes({ watts: 1, colour: 5, extra: 1 }).map(([, , field]) => field)).to.deep.equal(['spec.colour']);
  });

  it('are named at most a hundred times for each part', () => {
    const extra = Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`k${i}`, 1]));
    const { object, unknownFields } = decodeTyped(LAMP, lamp({ watts: 1, ...extra }));
    expect(unknownFields).to.have.length(100);
    expect(object.spec).to.deep.equal({ watts: 1 });
  });
});

describe('the part of an object that a write is not about', () => {
  it('is not checked, and only its unknown fields are told', () => {
    const status = { isLit: 'no', extra: 1 };
    const { object, unknownFields } = decodeTyped(LAMP, lamp({ watts: 1 }, { status }));
    expect(object.status).to.deep.equal(status);
    expect(unknownFields).to.deep.equal(['status.extra']);
    expect(decodeTyped(LAMP, lamp({ watts: 1 }, { status: { isLit: true } })).unknownFields).to.deep.equal([]);
  });

  it('is the spec for a write of the status', () => {
    const { object, unknownFields } = decodeTyped(
      LAMP,
      lamp({ watts: 'x', extra: 1 }, { status: { isLit: true } }),
      'status',
    );
    expect(object).to.deep.include({ status: { isLit: true }, spec: { watts: 'x', extra: 1 } });
    expect(unknownFields).to.deep.equal(['spec.extra']);
    const { spec: _, ...specless } = lamp({}) as { readonly spec: unknown };
    expect(decodeTyped(LAMP, specless, 'status').unknownFields).to.deep.equal([]);
    expect(refused(lamp({ watts: 1 }, { status: { isLit: 'no' } }), LAMP, 'status').causes[0]?.[2]).to.equal(
      'status.isLit',
    );
  });

  it('may be absent', () => {
    expect(decodeTyped(LAMP, lamp({ watts: 1 })).object).to.not.have.property('status');
    expect(decodeTyped(LAMP, lamp({ watts: 1 }), 'status').object).to.not.have.property('status');
  });
});

describe('an object of which only the spec can be wrong', () => {
  const stored = (spec: unknown): KubeObject => ({ ...lamp(spec), metadata: { name: 'desk' } }) as KubeObject;

  it('is the object with its spec as the schema reads it', () => {
    const Trimmed = { ...LAMP, spec: z.strictObject({ watts: z.int().default(7) }) };
    expect(decodeSpec(Trimmed, stored({})).spec).to.deep.equal({ watts: 7 });
    expect(decodeSpec(LAMP, stored({ watts: 1 }))).to.deep.equal(stored({ watts: 1 }));
  });

  it('may be of a kind that has none', () => {
    const memo = { ...bodyOf(MEMO, 'm', { text: 'milk' }), metadata: { name: 'm' } } as KubeObject;
    expect(decodeSpec(MEMO, memo)).to.deep.include({ kind: 'Memo', text: 'milk' });
  });

  it('is refused as any object', () => {
    expect(refusalOf(() => decodeSpec(LAMP, stored({ watts: 'x' }))).causes[0]?.[2]).to.equal('spec.watts');
    expect(decodeSpec(LAMP, stored({ watts: 1, extra: 1 })).spec).to.deep.equal({ watts: 1 });
  });
});

describe('the fields of a strict schema', () => {
  const Pair = z.strictObject({ a: z.string().optional(), b: z.string().optional() });

  it('are read without unknown ones, which are told', () => {
    expect(parseFields(Pair, { a: 'x' })).to.deep.equal({ data: { a: 'x' }, issues: [], unknownFields: [] });
    expect(parseFields(Pair, { a: 'x', c: 1 })).to.deep.equal({ data: { a: 'x' }, issues: [], unknownFields: ['c'] });
    const { data, issues } = parseFields(Pair, { a: 1 });
    expect([data, issues.length]).to.deep.equal([undefined, 1]);
  });

  it('are read in any order of the unknown ones, of which a hundred are told', () => {
    const many = Array.from({ length: 30_000 }, (_, i): [string, unknown] => [`m${i}`, i]);
    const { data, issues, unknownFields } = parseFields(Pair, Object.fromEntries([...many, ['a', 'x'], ['1', 1]]));
    expect([data, issues]).to.deep.equal([{ a: 'x' }, []]);
    expect(unknownFields).to.have.length(100);
    const pairs = Array.from({ length: 300 }, () => ({ c: 1 }));
    expect(parseFields(z.array(Pair), pairs).unknownFields).to.have.length(100);
  });

  it('are null as in Go: members are not set, and entries of maps and lists have the zero value of their type', () => {
    const parsed = (schema: z.ZodType, value: unknown): unknown =>
      parseFields(z.strictObject({ a: schema }), value).data;
    const map = (member: z.ZodType): unknown => parsed(z.record(z.string(), member), { a: { k: null } });
    expect(map(z.string())).to.deep.equal({ a: { k: '' } });
    expect(map(z.int())).to.deep.equal({ a: { k: 0 } });
    expect(map(z.boolean().optional())).to.deep.equal({ a: { k: false } });
    expect(map(recordOf(z.string(), 9))).to.deep.equal({ a: { k: {} } });
    expect(map(z.lazy(() => z.array(z.string())))).to.deep.equal({ a: { k: [] } });
    expect(map(z.unknown()), 'anything').to.deep.equal({ a: { k: null } });
    expect(parsed(z.array(z.string()).nullish(), { a: [null, 'x'] })).to.deep.equal({ a: ['', 'x'] });
    expect(parsed(z.int().optional(), { a: null })).to.deep.equal({});
    expect(parsed(z.strictObject({}).prefault({}), { a: null })).to.deep.equal({ a: {} });
    const holder = z.array(z.strictObject({ m: recordOf(z.string(), 9), o: z.string().optional() }));
    expect(parsed(holder, { a: [{ m: { x: null, y: 'y' }, o: null, z: 1 }] })).to.deep.equal({
      a: [{ m: { x: '', y: 'y' } }],
    });
  });
});
