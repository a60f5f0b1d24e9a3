import { isProtobufRange, type MediaRange, matches, parseAccept } from '../../pkg/http/negotiation/accept.js';
import { isYamlRange, YAML_TYPE } from '../../pkg/http/negotiation/yaml.js';
import { hasProtobuf, PROTOBUF_MEDIA_TYPE } from '../../pkg/kube/protobuf/types.js';
import { badRequest, notAcceptable } from '../../pkg/kube/status/errors.js';
import type { Kind } from '../kinds/kind.js';

export type Representation = 'object' | 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList';

/** What the answer contains: one object, a list, or a stream of objects. */
export type AnswerContent = 'object' | 'list' | 'watch';

/** The representation that the client accepts. Errors (Status) are never transformed. */
export interface Negotiated {
  readonly as: Representation;
  /** The version of meta.k8s.io. Not used for `object`. */
  readonly version: 'v1' | 'v1beta1';
  /**
   * Whether the answer is in Kubernetes' protobuf. Otherwise it is in JSON, or in YAML if the client prefers that
   * (`inAcceptedForm`).
   */
  readonly isProtobuf: boolean;
}

export type IncludeObject = 'None' | 'Metadata' | 'Object';

const PLAIN: Negotiated = { as: 'object', version: 'v1', isProtobuf: false };
const ACCEPTED = ['application/json', YAML_TYPE] as const;

export type NamedKind = Pick<Kind, 'apiVersion' | 'kind'>;

const OFFERED: Readonly<Record<AnswerContent, readonly string[]>> = {
  object: ['Table', 'PartialObjectMetadata'],
  list: ['Table', 'PartialObjectMetadataList'],
  watch: ['Table', 'PartialObjectMetadata'],
};

/** The first representation that the client accepts and the server has of this kind. Throws 406 if there is none. */
export function negotiate(accept: string | undefined, target: AnswerContent, kind: NamedKind): Negotiated {
  // Nearly every client except kubectl sends one of these.
  if (accept === undefined || accept === 'application/json' || accept === '*/*') return PLAIN;
  for (const range of parseAccept(accept)) {
    const isProtobuf = isProtobufRange(range);
    // As in Kubernetes, a watch has no form in YAML. Handlers answer in JSON; `inAcceptedForm` converts the answer.
    const isKnown = isProtobuf || matches(range, 'application', 'json') || (target !== 'watch' && isYamlRange(range));
    const negotiated = isKnown ? representationOf(range, target) : undefined;
    if (negotiated !== undefined && (!isProtobuf || hasProtobufOf(kind, negotiated.as)))
      return { ...negotiated, isProtobuf };
  }
  throw notAcceptable(hasProtobuf(kind) ? [...ACCEPTED, PROTOBUF_MEDIA_TYPE] : ACCEPTED);
}

/** As in Kubernetes, metadata has a form in protobuf for all kinds, and a table has none. */
function hasProtobufOf(kind: NamedKind, as: Representation): boolean {
  return as === 'object' ? hasProtobuf(kind) : as !== 'Table';
}

function representationOf(range: MediaRange, target: AnswerContent): Omit<Negotiated, 'isProtobuf'> | undefined {
  const as = range.parameters.get('as') ?? '';
  const stream = range.parameters.get('stream');
  if (stream !== undefined && (stream !== 'watch' || target !== 'watch')) return undefined;
  if (as === '') return { as: 'object', version: 'v1' };
  const version = range.parameters.get('v');
  if (range.parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined;
  return OFFERED[target].includes(as) ? { as: as as Representation, version } : undefined;
}

/** The query parameter `includeObject` of a request for a Table. */
export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const value = query.get('includeObject') ?? '';
  if (value === '') return 'Metadata';
  if (value === 'None' || value === 'Metadata' || value === 'Object') return value;
  throw badRequest(
    `Unable to convert to Table as requested: includeObject must be None, Metadata or Object, not ${JSON.stringify(value)}`,
  );
}
