import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonSchema } from '../../../../pkg/kube/structural/json-schema.js';
import { runSteps } from '../../../../pkg/system/yielding/steps.js';
import { withDefaults } from '../defaults.js';
import { CustomResourceDefinitionSpec, type Definition } from '../schema.js';
import { validateDefinition, validateDefinitionUpdate } from './definition.js';
import type { CompileRules, RuleContext } from './openapi.js';

const values = { prune: (value: unknown) => value, validate: () => [], metaProblem: () => undefined };

function definition(schema: JsonSchema, version: object = {}): Definition {
  const spec = {
    group: 'test.example.com',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema }, ...version }],
  };
  return {
    metadata: { name: 'things.test.example.com' },
    spec: withDefaults(CustomResourceDefinitionSpec.parse(spec)),
    status: { storedVersions: ['v1'] },
  };
}

const causesOf = (schema: JsonSchema) => runSteps(validateDefinition(definition(schema), { values }));
const wide = (property: JsonSchema, count = 10_000): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, i) => [`p${i}`, property])),
});

/** Random schemas of so many levels. */
function schemasOf(levels: number): fc.Arbitrary<JsonSchema> {
  const own = {
    type: fc.constantFrom('object', 'array', 'string', 'foo', ''),
    pattern: fc.string({ maxLength: 5 }),
    default: fc.jsonValue({ maxDepth: 1 }),
    'x-kubernetes-list-type': fc.constantFrom('set', 'map', 'x'),
    'x-kubernetes-list-map-keys': fc.array(fc.string({ maxLength: 2 }), { maxLength: 3 }),
  };
  if (levels === 0) return fc.record(own, { requiredKeys: [] });
  const inner = schemasOf(levels - 1);
  const list = fc.array(inner, { maxLength: 2 });
  const parts = {
    properties: fc.dictionary(fc.string({ maxLength: 5 }), inner, { maxKeys: 2 }),
    items: fc.oneof(inner, list),
    additionalProperties: fc.oneof(fc.boolean(), inner),
    allOf: list,
    not: inner,
  };
  return fc.record({ ...own, ...parts }, { requiredKeys: [] });
}

describe('definitions: validation', () => {
  it('has the defaults of v1', () => {
    const { names, conversion } = withDefaults({ names: { plural: 'things', kind: 'Thing' } });
    expect(names).to.deep.equal({ plural: 'things', kind: 'Thing', singular: 'thing', listKind: 'ThingList' });
    expect(conversion).to.deep.equal({ strategy: 'None' });
    const service = { name: 'a', namespace: 'b' };
    const spec = withDefaults({ conversion: { strategy: 'Webhook', webhook: { clientConfig: { service } } } });
    expect(spec.conversion?.webhook?.clientConfig?.service?.port).to.equal(443);
  });

  it('decodes what only the validation refuses, and nothing of a wrong type', () => {
    const decodes = (spec: object): boolean => CustomResourceDefinitionSpec.safeParse(spec).success;
    expect([{}, { scope: 'Foo' }, { versions: null }, { conversion: { strategy: '' } }].map(decodes)).to.not.include(
      false,
    );
    const wrong = [
      { scope: 1 },
      { versions: {} },
      { names: [] },
      { conversion: { webhook: { clientConfig: { caBundle: '!' } } } },
    ];
    expect(wrong.map(decodes)).to.not.include(true);
  });

  it('works in steps, so that a large schema keeps nobody waiting', () => {
    const steps = validateDefinition(definition(wide({ type: 'string' })), { values });
    let count = 0;
    while (steps.next().done !== true) count++;
    expect(count).to.be.greaterThan(300);
  });

  it('says at most a million characters about one schema', () => {
    const inner = wide({}, 5000);
    const causes = causesOf({ type: 'object', properties: { ['k'.repeat(100_000)]: inner } });
    expect(causes.length).to.be.within(1, 20);
  });

  it('names the versions or the member that is wrong, and does not print them', () => {
    const twice = (schema: JsonSchema): Definition => {
      const { spec, ...rest } = definition({ type: 'object' });
      const versions = [schema, { ...schema, allOf: [], title: '' }].map((openAPIV3Schema, i) => ({
        ...{ name: `v${i + 1}`, served: true, storage: true, schema: { openAPIV3Schema } },
      }));
      return { ...rest, spec: { ...spec, versions }, status: { storedVersions: ['v1', 'v2'] } };
    };
    const all = (one: Definition) => runSteps(validateDefinition(one, { values }));
    expect(all(twice({ type: 'object' })).map(({ message }) => message)).to.deep.equal([
      'Invalid value: ["v1","v2"]: must have exactly one version marked as storage version',
    ]);
    // What is wrong with the schema of all versions is said once. To Kubernetes, what is empty is absent.
    const same = all(twice({ type: 'object', properties: { spec: { type: 'foo' } } })).map(({ field }) => field);
    expect(same).to.include('spec.validation.openAPIV3Schema.properties[spec].type').and.to.have.length(2);
    const [wrong] = all(definition({ type: 'object', not: { type: 'string' } }, { subresources: { status: {} } }));
    expect(wrong?.message).to.match(
      /^Invalid value: "not": only \[description type .*\] fields are allowed at the root/,
    );
  });

  it('takes names of what every object inherits as names', () => {
    const list = {
      type: 'array',
      items: { type: 'object' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['constructor'],
    };
    const properties = { constructor: { type: 'foo' } };
    expect(causesOf({ type: 'object', properties, required: ['toString'] }).map(({ field }) => field)).to.deep.equal([
      'spec.validation.openAPIV3Schema.properties[constructor].type',
    ]);
    expect(causesOf({ type: 'object', properties: { list } }).map(({ message }) => message)).to.deep.equal([
      'Invalid value: ["constructor"]: entries must all be names of item properties',
    ]);
  });

  it('tells the compiler of rules where they stand, and asks it only about valid schemas', () => {
    const asked: RuleContext[] = [];
    const compileRules: CompileRules = (_, context) => {
      asked.push(context);
      return { causes: [], costs: [{ path: `${context.path}[0].rule`, cost: 60_000_000 }] };
    };
    const ruled = { type: 'string', 'x-kubernetes-validations': [{ rule: 'true' }] } as const;
    const schema: JsonSchema = {
      type: 'object',
      properties: {
        list: { type: 'array', maxItems: 5, items: ruled },
        map: { type: 'object', additionalProperties: ruled },
      },
    };
    const causes = runSteps(validateDefinition(definition(schema), { values, compileRules }));
    expect(asked.map(({ cardinality }) => cardinality)).to.have.members([5, undefined]);
    expect(asked.map(({ uncorrelatable }) => uncorrelatable)).to.have.members([
      'spec.validation.openAPIV3Schema.properties[list]',
      undefined,
    ]);
    expect(causes).to.have.length(3);
    expect(causes.at(-1)?.message).to.include('exceeds budget by factor of 1.200000x');
    asked.length = 0;
    runSteps(validateDefinition(definition({ ...schema, id: 'x' }), { values, compileRules }));
    expect(asked).to.deep.equal([]);
  });

  it('refuses nothing in an update of a valid definition to itself', () => {
    const valid = definition(wide({ type: 'string' }, 3));
    expect(runSteps(validateDefinitionUpdate(valid, valid, { values }))).to.deep.equal([]);
  });

  it('gives causes with a reason, a field and a message for any schema', () => {
    const schema = schemasOf(3);
    fc.assert(
      fc.property(schema, (root) => {
        for (const { reason, field, message } of causesOf(root)) {
          expect([reason, field, message].every((text) => typeof text === 'string' && text !== '')).to.equal(true);
        }
      }),
      { numRuns: 100 },
    );
  });
});
