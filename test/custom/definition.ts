import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { bodyOf, type Resource, resourceOf } from '../harness/resource.js';
import type { Server } from '../harness/server.js';

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

type Json = Readonly<Record<string, unknown>>;

/** A version of a definition with the members that tests change. */
export interface TestVersion extends Json {
  readonly name: string;
  readonly served: boolean;
  readonly storage: boolean;
  readonly schema: { readonly openAPIV3Schema: Json };
}

export interface TestDefinition {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Json & { readonly name: string };
  readonly spec: Json & { readonly group: string; readonly versions: readonly TestVersion[] };
}

export interface DefinitionOptions {
  readonly plural?: string;
  readonly kind?: string;
  readonly group?: string;
  readonly scope?: 'Namespaced' | 'Cluster';
  /** The labels, without their domain. */
  readonly words?: Readonly<Record<string, string>>;
  readonly versions?: readonly TestVersion[];
  readonly finalizers?: readonly string[];
}

/** Labels for everything that a definition can ask for, except conversion. */
export const WORDS = {
  containment: 'folders',
  history: 'true',
  trash: 'true',
  search: 'spec.title',
  viewer: 'read',
  editor: 'write',
};

const text = { type: 'string' };
const count = { type: 'integer', format: 'int32', minimum: 0 };

export const SPEC: Json = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { ...text, minLength: 1, maxLength: 100 },
    note: text,
    color: { ...text, enum: ['red', 'green', 'blue'] },
    size: count,
    most: count,
    tags: { type: 'array', maxItems: 5, items: { ...text, minLength: 1 } },
    more: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
  },
  'x-kubernetes-validations': [
    { rule: '!has(self.size) || !has(self.most) || self.size <= self.most', message: 'size must not exceed most' },
  ],
};

const STATUS: Json = {
  type: 'object',
  required: ['phase'],
  properties: {
    phase: { ...text, enum: ['Ready', 'Broken'] },
    observedGeneration: { type: 'integer' },
    size: count,
    selector: text,
  },
};

/** A version with status, scale, columns and a selectable field. */
export function versionOf(name: string, spec: Json = SPEC, more: Json = {}): TestVersion {
  return {
    name,
    served: true,
    storage: true,
    schema: {
      openAPIV3Schema: { type: 'object', required: ['spec'], properties: { spec, status: STATUS } },
    },
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.size',
        statusReplicasPath: '.status.size',
        labelSelectorPath: '.status.selector',
      },
    },
    additionalPrinterColumns: [
      { name: 'Title', type: 'string', jsonPath: '.spec.title' },
      { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    ],
    selectableFields: [{ jsonPath: '.spec.color' }],
    ...more,
  };
}

export function definitionOf({
  plural = 'reports',
  kind = 'Report',
  group = 'example.com',
  scope = 'Namespaced',
  words = WORDS,
  versions = [versionOf('v1')],
  finalizers,
}: DefinitionOptions = {}): TestDefinition {
  const labels = Object.fromEntries(Object.entries(words).map(([word, value]) => [`svc.app/${word}`, value]));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${group}`, labels, ...(finalizers && { finalizers }) },
    spec: { group, scope, names: { plural, kind }, versions },
  };
}

/** A definition on a server, and the objects of one of its versions. */
export interface Defined {
  readonly definition: TestDefinition;
  readonly objects: Resource;
  object(name: string, spec?: Json, metadata?: Json): Json;
}

export function resourceOfDefinition(server: () => Server, definition: TestDefinition, version?: string): Defined {
  const { group, scope, names, versions } = definition.spec as TestDefinition['spec'] & {
    readonly scope: 'Namespaced' | 'Cluster';
    readonly names: { readonly plural: string; readonly kind: string };
  };
  const apiVersion = `${group}/${version ?? versions[0]?.name}`;
  return {
    definition,
    objects: resourceOf(server, { apiVersion, resource: names.plural, scope }),
    object: (name, spec = { title: name }, metadata = {}) => ({
      apiVersion,
      kind: names.kind,
      metadata: { name, ...metadata },
      spec,
    }),
  };
}

/** Creates a definition, which is in effect at once. */
export async function define(server: () => Server, options?: DefinitionOptions): Promise<Defined> {
  const definition = definitionOf(options);
  const body = bodyOf(await server().call('POST', DEFINITIONS, { body: definition }), 201);
  expect(isEstablished(body), JSON.stringify(body.status)).to.equal(true);
  return resourceOfDefinition(server, definition);
}

/** Changes the definition by a merge patch. */
export async function redefine(server: () => Server, { metadata }: TestDefinition, patch: unknown): Promise<Body> {
  const headers = { 'content-type': 'application/merge-patch+json' };
  return bodyOf(await server().call('PATCH', `${DEFINITIONS}/${metadata.name}`, { headers, body: patch }), 200);
}

export function isEstablished(definition: object): boolean {
  const { status } = definition as {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
  };
  return status?.conditions?.some((one) => one.type === 'Established' && one.status === 'True') === true;
}
