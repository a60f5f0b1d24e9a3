import { expect } from 'chai';
import { z } from 'zod';
import { refsOf } from './testing/refs.js';
import { convertZod } from './zod.js';

const convert = (schema: z.ZodType): ReturnType<typeof convertZod> => convertZod(schema, 'app.svc.x.v1', 'ThingSpec');
const propertiesOf = (shape: Record<string, z.ZodType>): unknown =>
  convert(z.strictObject(shape)).schemas['app.svc.x.v1.ThingSpec']?.['properties'];

describe('convertZod', () => {
  it('names the outermost schema by its id, or by the fallback', () => {
    const named = convert(z.strictObject({ a: z.string() }).meta({ id: 'ZodTestNamed', description: 'Named.' }));
    expect(named).to.deep.equal({
      name: 'app.svc.x.v1.ZodTestNamed',
      schemas: {
        'app.svc.x.v1.ZodTestNamed': {
          type: 'object',
          description: 'Named.',
          properties: { a: { type: 'string' } },
          required: ['a'],
        },
      },
    });
    expect(convert(z.strictObject({})).name).to.equal('app.svc.x.v1.ThingSpec');
  });

  it('makes parts with an id schemas of their own, with references to them', () => {
    const Inner = z.strictObject({ a: z.string() }).meta({ id: 'ZodTestInner' });
    const { schemas } = convert(z.strictObject({ one: Inner, many: z.array(Inner), told: Inner.describe('Told.') }));
    expect(Object.keys(schemas)).to.have.members(['app.svc.x.v1.ZodTestInner', 'app.svc.x.v1.ThingSpec']);
    const reference = { $ref: '#/components/schemas/app.svc.x.v1.ZodTestInner' };
    expect(schemas['app.svc.x.v1.ThingSpec']?.['properties']).to.deep.equal({
      one: reference,
      many: { type: 'array', items: reference },
      told: { description: 'Told.', allOf: [reference] },
    });
  });

  it('refers to a part that is described twice without its members, because kubectl refuses a document that has both', () => {
    const Inner = z.strictObject({ a: z.string() }).meta({ id: 'ZodTestTwice' }).describe('One.');
    const allOf = [{ $ref: '#/components/schemas/app.svc.x.v1.ZodTestTwice' }];
    expect(propertiesOf({ one: Inner.describe('Another.'), two: Inner.describe('Another.').optional() })).to.deep.equal(
      {
        one: { description: 'Another.', allOf },
        two: { description: 'Another.', allOf },
      },
    );
  });

  it('is the part itself if a schema has nothing beside a part, a default and a description', () => {
    const Part = z.strictObject({ a: z.string().optional() }).meta({ id: 'ThingSpec' });
    const alone = convert(Part);
    expect(alone.name).to.equal('app.svc.x.v1.ThingSpec');
    expect(alone.schemas[alone.name]).to.have.nested.property('properties.a');
    for (const schema of [Part.prefault({}), Part.prefault({}).describe('Told.'), Part.optional()])
      expect(convert(schema)).to.deep.equal(alone);
  });

  it('refuses a part that has the name of the whole schema', () => {
    const Part = z.strictObject({}).meta({ id: 'ThingSpec' });
    expect(() => convert(z.strictObject({ part: Part }))).to.throw('A part of app.svc.x.v1.ThingSpec has the same id');
  });

  it('keeps recursive schemas', () => {
    const Tree: z.ZodType = z.lazy(() => z.strictObject({ children: z.array(Tree) }));
    const { name, schemas } = convert(Tree);
    expect(schemas).to.have.property(name);
    for (const schema of Object.values(schemas)) {
      for (const target of refsOf(schema)) expect(schemas).to.have.property(target);
    }
  });

  it('marks parts that may have any content', () => {
    expect(
      propertiesOf({
        any: z.unknown().describe('Anything.'),
        map: z.record(z.string(), z.unknown()),
        loose: z.looseObject({ a: z.string() }),
      }),
    ).to.deep.equal({
      any: { description: 'Anything.', 'x-kubernetes-preserve-unknown-fields': true },
      map: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      loose: {
        type: 'object',
        properties: { a: { type: 'string' } },
        required: ['a'],
        'x-kubernetes-preserve-unknown-fields': true,
      },
    });
  });

  it('keeps maps of a type, integers, enums, defaults and extensions', () => {
    expect(
      propertiesOf({
        map: z.record(z.string(), z.string()),
        count: z.int().min(1),
        choice: z.enum(['a', 'b']).default('a'),
        list: z.array(z.string()).meta({ 'x-kubernetes-list-type': 'set' }),
        nothing: z.string().nullable(),
      }),
    ).to.deep.equal({
      map: { type: 'object', additionalProperties: { type: 'string' } },
      count: { type: 'integer', format: 'int64', minimum: 1 },
      choice: { type: 'string', enum: ['a', 'b'], default: 'a' },
      list: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
      nothing: { type: 'string', nullable: true },
    });
  });

  it('does not confuse properties with keywords of the same name', () => {
    expect(propertiesOf({ items: z.int(), properties: z.string(), $ref: z.string() })).to.deep.equal({
      items: { type: 'integer', format: 'int64' },
      properties: { type: 'string' },
      $ref: { type: 'string' },
    });
  });

  it('describes the input, not the parsed value', () => {
    const parsed = z.string().transform((text) => text.length);
    expect(propertiesOf({ length: parsed, optional: z.string().default('x') })).to.deep.equal({
      length: { type: 'string' },
      optional: { type: 'string', default: 'x' },
    });
  });
});
