export type Kind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'dyn'
  | 'error'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'type'
  | 'param'
  | 'opaque'
  | 'struct';

/** A type that the checker knows an expression to have. */
export interface CelType {
  readonly kind: Kind;
  /** The name of an opaque type, a struct or a type parameter. For other types, it is the name that errors show. */
  readonly name: string;
  readonly params: readonly CelType[];
  /** Those of a struct. Structs of the same name are the same. */
  readonly fields?: Fields | undefined;
}

/** The types of the fields of a struct, which may be made when they are asked for. */
export interface Fields {
  get(name: string): CelType | undefined;
}

function simple(kind: Kind, name: string = kind): CelType {
  return { kind, name, params: [] };
}

export const BOOL = simple('bool');
export const INT = simple('int');
export const UINT = simple('uint');
export const DOUBLE = simple('double');
export const STRING = simple('string');
export const BYTES = simple('bytes');
export const NULL = simple('null');
export const DYN = simple('dyn');
export const ERROR = simple('error', '!error!');
export const TIMESTAMP = simple('timestamp');
export const DURATION = simple('duration');

export function listType(element: CelType): CelType {
  return { kind: 'list', name: 'list', params: [element] };
}

export function mapType(key: CelType, value: CelType): CelType {
  return { kind: 'map', name: 'map', params: [key, value] };
}

export function typeType(of?: CelType): CelType {
  return { kind: 'type', name: 'type', params: of === undefined ? [] : [of] };
}

export function optionalType(of: CelType): CelType {
  return { kind: 'opaque', name: 'optional_type', params: [of] };
}

export function opaqueType(name: string, ...params: readonly CelType[]): CelType {
  return { kind: 'opaque', name, params };
}

export function structType(name: string, fields: Fields = new Map<string, CelType>()): CelType {
  return { kind: 'struct', name, params: [], fields };
}

export function paramType(name: string): CelType {
  return { kind: 'param', name, params: [] };
}

/** The type in an optional type. Undefined for any other. */
export function inOptional(type: CelType): CelType | undefined {
  return type.kind === 'opaque' && type.name === 'optional_type' ? type.params[0] : undefined;
}

/** The type as errors show it. */
export function typeText(type: CelType): string {
  if (type.params.length === 0) return type.name;
  return `${type.name}(${type.params.map(typeText).join(', ')})`;
}

/** The types of arguments as errors show them. */
export function signatureText(args: readonly CelType[], isMethod: boolean): string {
  const texts = args.map(typeText);
  const [target, ...rest] = texts;
  return isMethod ? `${target}.(${rest.join(', ')})` : `(${texts.join(', ')})`;
}

export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  return a.params.every((param, i) => sameType(param, b.params[i] as CelType));
}
