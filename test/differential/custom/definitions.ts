import { withDefaults } from '../../../apis/apiextensions/customresourcedefinition/defaults.js';
import type { DeferredWork } from '../../../apis/apiextensions/customresourcedefinition/deferred-work.js';
import type {
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
} from '../../../apis/apiextensions/customresourcedefinition/schema.js';
import { definitionCauses } from '../../../apis/apiextensions/customresourcedefinition/validate.js';
import type { JsonSchema } from '../../../pkg/kube/structural/json-schema.js';
import { runSteps } from '../../../pkg/system/yielding/steps.js';
import type { Random } from '../../fieldmanager/schemas.js';
import { rootSchema } from '../../structural/schemas.js';
import { REAL, type RealDefinition } from './real.js';
import { FIELD_NAMES, fieldSchema, objectSchema, some } from './schemas.js';

type Version = CustomResourceDefinitionVersion;
type Spec = CustomResourceDefinitionSpec;

/** A definition at one time of a sequence. `@run` in it stands for the sequence. */
export interface Defined {
  readonly name: string;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly spec: Spec;
  /**
   * The name of a column that the definition did not have before. A table with it shows that a server knows the
   * definition.
   */
  readonly mark: string;
}

const TRIES = 40;

/** A random definition that this server accepts. */
export function randomDefinition(random: Random): Defined {
  for (let tries = 0; tries < TRIES; tries++) {
    const defined = marked(random.chance(25) ? ofProject(random.of(REAL)) : drawn(random), 0);
    if (isRight(defined)) return defined;
  }
  throw new Error('no definition is right');
}

function ofProject({ spec, metadata: { annotations } }: RealDefinition): Defined {
  const group = `@run.${spec.group}`;
  const name = `${spec.names?.plural}.${group}`;
  const metadata = { name, ...(annotations && { annotations }) };
  return { name, metadata, spec: { ...spec, group, conversion: undefined }, mark: '' };
}

function drawn(random: Random): Defined {
  const group = '@run.example.com';
  const name = `things.${group}`;
  const schema = random.chance(25) ? rootSchema(random) : tameSchema(random);
  const names = {
    ...{ plural: 'things', kind: 'Thing' },
    ...some(random, { singular: 'thing', listKind: 'ThingList' }),
    ...some(random, { shortNames: ['th'], categories: ['all'] }),
  };
  const first = randomVersion(random, 'v1', schema, true);
  const versions = random.chance(40) ? [first, secondVersion(random, first)] : [first];
  const spec = { group, names, scope: random.chance(75) ? 'Namespaced' : 'Cluster', versions };
  return { name, metadata: { name }, spec, mark: '' };
}

function tameSchema(random: Random): JsonSchema {
  const names = FIELD_NAMES.filter(() => random.chance(30));
  return objectSchema(random, Object.fromEntries(names.map((name) => [name, fieldSchema(random, name)])));
}

function randomVersion(random: Random, name: string, schema: JsonSchema, storage: boolean): Version {
  const scale = { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' };
  const subresources = {
    ...(random.chance(60) && { status: {} }),
    ...(random.chance(40) && { scale: { ...scale, ...some(random, { labelSelectorPath: '.status.selector' }) } }),
  };
  return {
    ...{ name, served: true, storage, schema: { openAPIV3Schema: schema } },
    ...(Object.keys(subresources).length > 0 && { subresources }),
    ...(random.chance(15) && deprecated(random)),
    ...(random.chance(40) && { additionalPrinterColumns: columns(random, schema) }),
    ...(random.chance(40) && withFields(selectable(random, schema))),
  };
}

function deprecated(random: Random): Partial<Version> {
  return { deprecated: true, ...some(random, { deprecationWarning: 'use another one' }) };
}

const COLUMN_TYPES = ['string', 'integer', 'number', 'boolean', 'date'];

function columns(random: Random, schema: JsonSchema) {
  const names = Object.keys(specOf(schema).properties ?? {}).filter(() => random.chance(40));
  const paths = [...names.map((name) => `.spec.${name}`), ...AWKWARD.filter(() => random.chance(15))];
  return paths.map((jsonPath, i) => ({
    name: `C${i}`,
    type: random.of(COLUMN_TYPES),
    jsonPath,
    ...some(random, { priority: 1, description: 'A column.' }),
  }));
}

const AWKWARD = [
  '.metadata.creationTimestamp',
  '.metadata.labels.a',
  '.metadata.labels',
  '.spec.ports[*].name',
  '.spec.ports[0].port',
  '.status.conditions[?(@.type=="Ready")].status',
  '.spec.places[-1:].x',
  '.spec',
  '.spec.tags[0:2]',
];

function withFields(selectableFields: ReturnType<typeof selectable>): Partial<Version> {
  return selectableFields.length > 0 ? { selectableFields } : {};
}

function selectable(random: Random, schema: JsonSchema) {
  const fit = Object.entries(specOf(schema).properties ?? {}).filter(([, { type }]) =>
    ['string', 'integer', 'boolean'].includes(type ?? ''),
  );
  return fit.filter(() => random.chance(40)).map(([name]) => ({ jsonPath: `.spec.${name}` }));
}

export function specOf(schema: JsonSchema): JsonSchema {
  return schema.properties?.['spec'] ?? {};
}

/**
 * A version with the same fields, but other rules and parts. Other fields would be lost in ways that neither server
 * promises.
 */
function secondVersion(random: Random, { name, schema, subresources }: Version): Version {
  const next = name === 'v1' ? 'v2beta1' : 'v3alpha1';
  const { subresources: __, ...version } = randomVersion(
    random,
    next,
    withOtherRules(random, schemaOf({ schema })),
    false,
  );
  return { ...version, ...(subresources && { subresources }) };
}

function withOtherRules(random: Random, schema: JsonSchema): JsonSchema {
  const { 'x-kubernetes-validations': _, ...spec } = specOf(schema);
  const properties = { ...schema.properties, spec: random.chance(50) ? spec : specOf(schema) };
  return { ...schema, ...(schema.properties?.['spec'] && { properties }) };
}

export function schemaOf({ schema }: Pick<Version, 'schema'>): JsonSchema {
  return schema?.openAPIV3Schema ?? {};
}

function changedSchema(random: Random, schema: JsonSchema): JsonSchema {
  const spec = specOf(schema);
  const kept = Object.entries(spec.properties ?? {}).filter(([name]) => name === 'replicas' || !random.chance(15));
  const added = FIELD_NAMES.filter(() => random.chance(10)).map((name) => [name, fieldSchema(random, name)] as const);
  const properties = {
    ...Object.fromEntries(added),
    ...Object.fromEntries(kept.map(([name, one]) => [name, withDefault(random, one)])),
  };
  return { ...schema, properties: { ...schema.properties, spec: { ...spec, properties } } };
}

function withDefault(random: Random, schema: JsonSchema): JsonSchema {
  if (!random.chance(20)) return schema;
  const values: Readonly<Record<string, unknown>> = { string: 'new', integer: 5, boolean: true, array: [], object: {} };
  const value = values[schema.type ?? ''];
  return value === undefined ? schema : { ...schema, default: value };
}

type Change = (random: Random, versions: readonly Version[]) => readonly Version[];

const one = (change: (random: Random, version: Version) => Version): Change => {
  return (random, versions) => {
    const at = random.below(versions.length);
    return versions.map((version, i) => (i === at ? change(random, version) : version));
  };
};

/** All versions with the same changed fields. */
function withOtherFields(random: Random, versions: readonly Version[]): readonly Version[] {
  const spec = specOf(changedSchema(random, schemaOf(versions[0] ?? {})));
  return versions.map((version) => {
    const schema = schemaOf(version);
    const own = { ...specOf(schema), properties: spec.properties };
    return { ...version, schema: { openAPIV3Schema: { ...schema, properties: { ...schema.properties, spec: own } } } };
  });
}

/** All versions with other columns and selectable fields, and the same subresources. */
function withOtherParts(random: Random, versions: readonly Version[]): readonly Version[] {
  const changed = versions.map((version) =>
    randomVersion(random, version.name ?? '', schemaOf(version), version.storage === true),
  );
  const { subresources } = changed[0] ?? {};
  return changed.map(({ subresources: _, ...version }) => ({ ...version, ...(subresources && { subresources }) }));
}

const CHANGES: readonly Change[] = [
  withOtherFields,
  withOtherFields,
  one((random, { deprecated: _, deprecationWarning: __, ...version }) => ({
    ...version,
    ...(_ ? {} : deprecated(random)),
  })),
  one((_random, version) => ({ ...version, served: version.storage === true || version.served !== true })),
  withOtherParts,
  (random, versions) => {
    const [first, second] = versions;
    return first === undefined || second !== undefined ? versions : [first, secondVersion(random, first)];
  },
  (random, versions) => {
    const stored = random.below(versions.length);
    return versions.map((version, i) => ({
      ...version,
      storage: i === stored,
      served: i === stored || version.served,
    }));
  },
];

/** The definition with one or two changes, which may make it invalid. */
export function changedDefinition(random: Random, defined: Defined, mark: number): Defined {
  let { versions } = defined.spec;
  for (let changes = 1 + random.below(2); changes > 0; changes--)
    versions = [...random.of(CHANGES)(random, versions ?? [])];
  return marked({ ...defined, spec: { ...defined.spec, versions } }, mark);
}

function marked(defined: Defined, number: number): Defined {
  const mark = `M${number}`;
  const versions = (defined.spec.versions ?? []).map((version) => {
    const others = (version.additionalPrinterColumns ?? []).filter(({ name = '' }) => !/^M\d+$/.test(name));
    const column = { name: mark, type: 'string', jsonPath: '.metadata.name' };
    return { ...version, additionalPrinterColumns: [...others, column] };
  });
  return { ...defined, mark, spec: { ...defined.spec, versions } };
}

const AT_ONCE: DeferredWork = { run: (_what, _definitions, work) => runSteps(work()) };

/** Whether this server accepts it. */
export function isRight(defined: Defined, old?: Defined): boolean {
  return definitionCauses(stored(defined), old && stored(old), AT_ONCE).length === 0;
}

function stored({ metadata, spec }: Defined) {
  const text = JSON.stringify({ metadata, spec: withDefaults(spec) }).replaceAll('@run', 'run');
  const definition = JSON.parse(text);
  const storedVersions = definition.spec.versions.flatMap((one: Version) => (one.storage === true ? [one.name] : []));
  return { ...definition, status: { storedVersions } };
}
