import { definitionOf, type TestDefinition, type TestVersion } from '../../custom/definition.js';
import type { Random } from '../random.js';

export const VERSIONS = ['v1', 'v2'] as const;
export type VersionName = (typeof VERSIONS)[number];

/** The parts of the definition that change in a run. */
export interface Shape {
  /** The highest level that the schema allows. */
  readonly most: number;
  /** Whether the schema has the field `extra`. */
  readonly hasExtra: boolean;
  /** The default of the field `size`, if it has one. */
  readonly size: number | undefined;
  /** Whether lists can select by the color. */
  readonly isSelectable: boolean;
  readonly storage: VersionName;
  readonly served: readonly VersionName[];
}

/** The annotation with the number of the change that wrote this state. */
export const MARK = 'sim/op';
export const NAMES = { plural: 'gadgets', kind: 'Gadget', group: 'sim.example.com' };

export const FIRST: Shape = { most: 9, hasExtra: true, size: 1, isSelectable: true, storage: 'v1', served: VERSIONS };

export function definitionFor(shape: Shape, change: number): TestDefinition {
  const versions = VERSIONS.map((name): TestVersion => {
    const spec = {
      type: 'object',
      required: ['level'],
      properties: {
        level: { type: 'number', maximum: shape.most },
        color: { type: 'string' },
        size: { type: 'integer', ...(shape.size !== undefined && { default: shape.size }) },
        ...(shape.hasExtra && { extra: { type: 'string' } }),
      },
    };
    return {
      name,
      served: shape.served.includes(name),
      storage: name === shape.storage,
      schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
      ...(shape.isSelectable && { selectableFields: [{ jsonPath: '.spec.color' }] }),
    };
  });
  const { metadata, ...rest } = definitionOf({ ...NAMES, words: {}, versions });
  return { ...rest, metadata: { ...metadata, annotations: { [MARK]: String(change) } } };
}

interface Told {
  readonly spec: { readonly versions: readonly TestVersion[] };
}

/** The shape of a definition from a watch. */
export function shapeOf({ spec: { versions } }: Told): Shape {
  const stored = versions.find(({ storage }) => storage);
  const parts = stored?.schema.openAPIV3Schema['properties'] as { readonly spec: { readonly properties: Fields } };
  const { properties } = parts.spec;
  return {
    most: properties['level']?.maximum ?? 0,
    hasExtra: properties['extra'] !== undefined,
    size: properties['size']?.default,
    isSelectable: stored?.['selectableFields'] !== undefined,
    storage: stored?.name as VersionName,
    served: versions.filter(({ served }) => served).map(({ name }) => name as VersionName),
  };
}

type Fields = Readonly<Record<string, { readonly maximum?: number; readonly default?: number }>>;

/** A shape with one or two differences. */
export function changed(shape: Shape, random: Random): Shape {
  const changes: readonly (() => Partial<Shape>)[] = [
    () => ({ most: random.pick([3, 5, 7, 9]) }),
    () => ({ hasExtra: !shape.hasExtra }),
    () => ({ size: random.pick([undefined, 1, 2]) }),
    () => ({ isSelectable: !shape.isSelectable }),
    () => ({ storage: random.pick(VERSIONS) }),
    () => ({ served: random.pick([VERSIONS, ['v1'], ['v2']] as const) }),
  ];
  return { ...shape, ...random.pick(changes)(), ...random.pick(changes)() };
}
