import {
  BOOL,
  BYTES,
  type CelType,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  NULL,
  optionalType,
  STRING,
  TIMESTAMP,
  typeType,
  UINT,
} from '../types/type.js';
import { CONVERSIONS } from './conversions.js';
import { CIDR_TYPE, type FunctionDef, IP_TYPE } from './declare.js';
import { FORMAT_FUNCTIONS } from './formats.js';
import { LISTS } from './lists.js';
import { NET } from './net.js';
import { OPERATORS } from './operators.js';
import { OPTIONALS } from './optionals.js';
import { REGEX } from './regex.js';
import { STRINGS } from './strings.js';
import { TIMES } from './times.js';
import { URLS } from './urls.js';
import { VERSIONS } from './versions.js';

const ALL: readonly FunctionDef[] = [
  ...OPERATORS,
  ...CONVERSIONS,
  ...TIMES,
  ...OPTIONALS,
  ...LISTS,
  ...STRINGS,
  ...REGEX,
  ...URLS,
  ...VERSIONS,
  ...NET,
  ...FORMAT_FUNCTIONS,
];

/**
 * What rules may call in Kubernetes 1.37: the functions of version 1.36 and before, because a definition must not need
 * the newest server.
 */
export const FUNCTIONS: ReadonlyMap<string, FunctionDef> = new Map(ALL.map((fn) => [fn.name, fn]));

const NAMED: readonly (readonly [string, CelType])[] = [
  ['bool', BOOL],
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['string', STRING],
  ['bytes', BYTES],
  ['null_type', NULL],
  ['list', listType(DYN)],
  ['map', mapType(DYN, DYN)],
  ['type', typeType()],
  ['dyn', DYN],
  ['optional_type', optionalType(DYN)],
  ['google.protobuf.Timestamp', TIMESTAMP],
  ['google.protobuf.Duration', DURATION],
  ['net.IP', IP_TYPE],
  ['net.CIDR', CIDR_TYPE],
];

/** The names of types, with what they are. */
export const TYPE_NAMES: ReadonlyMap<string, CelType> = new Map(NAMED.map(([name, type]) => [name, typeType(type)]));
