import { META, ref, type Schema } from '../../pkg/kube/openapi/schema.js';
import { hasProtobuf, PROTOBUF_MEDIA_TYPE } from '../../pkg/kube/protobuf/types.js';
import {
  deleting as deletingParameters,
  KEEPING,
  LISTING,
  PATCHING,
  type Parameter,
  SELECTING,
  WRITING,
} from './parameters.js';
import {
  acceptsApply,
  type DescribedResource,
  type DescribedSubresource,
  groupVersionKind,
  listSchemaName,
  type NamedKind,
  objectSchemaName,
} from './schemas.js';

export interface MediaTypes {
  readonly [mediaType: string]: { readonly schema: Schema };
}

export interface Operation {
  readonly tags: readonly string[];
  readonly description: string;
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: MediaTypes };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content: MediaTypes }>>;
  readonly 'x-kubernetes-action': string;
  readonly 'x-kubernetes-group-version-kind': unknown;
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';
export type Operations = Partial<Record<Method, Operation>>;

/** The patch types that the server accepts. A client uses the first listed one that it supports. */
export interface PatchFormats {
  /** `application/apply-patch+yaml`, server-side apply. */
  readonly apply: boolean;
}

const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';

/** The operation of one HTTP method. A resource has the operation if it has the verb. */
interface Operative {
  readonly verb: string;
  readonly action: string;
  readonly prefix: string;
  readonly description: string;
  readonly codes: readonly number[];
  readonly answer: Schema;
  readonly parameters?: readonly Parameter[];
  readonly body?: MediaTypes;
  readonly bodyRequired?: boolean;
  readonly tabular?: boolean;
  /** The kind of its body and answer. Absent: the kind of the resource. */
  readonly kind?: NamedKind;
}

const ACROSS_NAMESPACES = 'ForAllNamespaces';

/** Operations on all objects of a namespace or of the cluster. */
export function collectionOperations(resource: DescribedResource): Operations {
  return operations(resource, {
    get: listing(resource, 'list'),
    post: { ...creating(`Creates a ${resource.singular}.`, resource), parameters: KEEPING },
    delete: {
      verb: 'deletecollection',
      action: 'deletecollection',
      prefix: 'deleteCollection',
      description: `Deletes the ${resource.resource} that are selected.`,
      codes: [200],
      answer: ref(`${META}.Status`),
      parameters: [...SELECTING, ...deletingParameters(resource.deleteOptions)],
      body: jsonOrYaml(ref(`${META}.DeleteOptions`)),
    },
  });
}

/** The list over all namespaces. */
export function acrossNamespaces(resource: DescribedResource): Operations {
  return operations(resource, { get: listing(resource, 'list') }, ACROSS_NAMESPACES);
}

/** Operations on one object. */
export function itemOperations(resource: DescribedResource, formats: PatchFormats): Operations {
  const schema = ref(objectSchemaName(resource));
  const named = resource.singular;
  const changing = readingAndChanging(resource, named, { apply: formats.apply && acceptsApply(resource) });
  return operations(resource, {
    ...changing,
    put: { ...changing.put, parameters: KEEPING },
    delete: {
      ...deleting(named, resource.conventions?.returnsDeletedObject === true ? schema : ref(`${META}.Status`)),
      parameters: deletingParameters(resource.deleteOptions),
    },
  });
}

/** Operations on a subresource. */
export function subresourceOperations(
  resource: DescribedResource,
  { name, kind: message, verbs, parameters, postParameters = [], managesFields = false }: DescribedSubresource,
  formats: PatchFormats,
): Operations {
  const kind: NamedKind = message ?? resource;
  const named = `${name} of the ${resource.singular}`;
  const all = {
    ...readingAndChanging(kind, named, { apply: formats.apply && (name === 'status' || managesFields) }, parameters),
    post: {
      ...creating(`Creates a ${name} of a ${resource.singular}.`, kind),
      parameters: [...WRITING, ...postParameters],
    },
    delete: deleting(named, ref(objectSchemaName(kind))),
  };
  // Only objects of a resource can be shown as a table.
  const tabular = message === undefined;
  const ofKind = Object.entries(all).map(([method, one]) => [
    method,
    { ...one, kind, tabular: tabular && 'tabular' in one },
  ]);
  return operations({ ...resource, verbs }, Object.fromEntries(ofKind), pascal(name));
}

function readingAndChanging(
  kind: NamedKind,
  named: string,
  formats: PatchFormats,
  parameters?: readonly Parameter[],
): Readonly<Record<'get' | 'put' | 'patch', Operative>> {
  const schema = ref(objectSchemaName(kind));
  return {
    get: {
      verb: 'get',
      action: 'get',
      prefix: 'read',
      description: `Reads the ${named}.`,
      codes: [200],
      answer: schema,
      tabular: true,
      ...(parameters && { parameters }),
    },
    put: {
      verb: 'update',
      action: 'put',
      prefix: 'replace',
      description: `Replaces the ${named}.`,
      codes: [200, 201],
      answer: schema,
      parameters: WRITING,
      body: jsonOrYaml(schema),
      bodyRequired: true,
    },
    patch: {
      verb: 'patch',
      action: 'patch',
      prefix: 'patch',
      description: `Changes parts of the ${named}.`,
      codes: formats.apply ? [200, 201] : [200],
      answer: schema,
      parameters: PATCHING,
      body: patches(formats),
      bodyRequired: true,
    },
  };
}

function deleting(named: string, answer: Schema): Operative {
  return {
    verb: 'delete',
    action: 'delete',
    prefix: 'delete',
    description: `Deletes the ${named}.`,
    codes: [200, 202],
    answer,
    parameters: deletingParameters(),
    body: jsonOrYaml(ref(`${META}.DeleteOptions`)),
  };
}

function creating(description: string, kind: NamedKind): Operative {
  const schema = ref(objectSchemaName(kind));
  return {
    verb: 'create',
    action: 'post',
    prefix: 'create',
    description,
    codes: [200, 201, 202],
    answer: schema,
    parameters: WRITING,
    body: jsonOrYaml(schema),
    bodyRequired: true,
  };
}

function listing(resource: DescribedResource, prefix: string): Operative {
  return {
    verb: 'list',
    action: 'list',
    prefix,
    description: `Lists or watches ${resource.resource}.`,
    codes: [200],
    answer: ref(listSchemaName(resource)),
    parameters: LISTING,
    tabular: true,
  };
}

function operations(
  resource: DescribedResource,
  operatives: Partial<Record<Method, Operative>>,
  suffix = '',
): Operations {
  const present = Object.entries(operatives).filter(([, { verb }]) => resource.verbs.includes(verb));
  return Object.fromEntries(present.map(([method, operative]) => [method, operation(resource, operative, suffix)]));
}

function operation(resource: DescribedResource, operative: Operative, suffix: string): Operation {
  const { group, version, scope, kind } = resource;
  const space = scope === 'Namespaced' && suffix !== ACROSS_NAMESPACES ? 'Namespaced' : '';
  const hasMessages = speaksProtobuf(operative.kind ?? resource);
  const content = {
    'application/json': { schema: operative.answer },
    ...(hasMessages && { [PROTOBUF_MEDIA_TYPE]: { schema: operative.answer } }),
    ...(operative.tabular === true ? { [TABLE]: { schema: ref(`${META}.Table`) } } : {}),
  };
  return {
    tags: [`${camel(group)}_${version}`],
    description: operative.description,
    operationId: `${operative.prefix}${pascal(group)}${pascal(version)}${space}${kind}${suffix}`,
    ...(operative.parameters === undefined ? {} : { parameters: operative.parameters }),
    ...(operative.body === undefined
      ? {}
      : {
          requestBody: {
            ...(operative.bodyRequired === true ? { required: true } : {}),
            content: hasMessages ? withProtobuf(operative.body) : operative.body,
          },
        }),
    responses: Object.fromEntries(
      operative.codes.map((code) => [String(code), { description: DESCRIPTIONS[code] ?? '', content }]),
    ),
    'x-kubernetes-action': operative.action,
    'x-kubernetes-group-version-kind': groupVersionKind(operative.kind ?? resource),
  };
}

function speaksProtobuf({ group, version, kind }: NamedKind): boolean {
  return hasProtobuf({ apiVersion: group === '' ? version : `${group}/${version}`, kind });
}

/** What can be sent in JSON can be sent in protobuf, but no patch. */
function withProtobuf(body: MediaTypes): MediaTypes {
  const json = body['application/json'];
  return json === undefined ? body : { ...body, [PROTOBUF_MEDIA_TYPE]: json };
}

const DESCRIPTIONS: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted' };

function jsonOrYaml(schema: Schema): MediaTypes {
  return { 'application/json': { schema }, 'application/yaml': { schema } };
}

function patches({ apply }: PatchFormats): MediaTypes {
  const schema = ref(`${META}.Patch`);
  const types = ['application/json-patch+json', 'application/merge-patch+json'];
  if (apply) types.unshift('application/apply-patch+yaml');
  return Object.fromEntries(types.map((type) => [type, { schema }]));
}

function pascal(text: string): string {
  return text.replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/gi, (_, letter: string) => letter.toUpperCase());
}

function camel(group: string): string {
  const name = pascal(group === '' ? 'core' : group);
  return name.charAt(0).toLowerCase() + name.slice(1);
}
