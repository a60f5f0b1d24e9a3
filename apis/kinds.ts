import type { Kind } from '../registry/kinds/kind.js';
import type { LegacyRouter } from '../registry/legacy/router.js';
import { builtInAccess } from './access.js';
import type { ApisEnvironment } from './environment.js';
import type { IamServices } from './iam/legacy/services.js';
import * as listed from './index.js';
import type { KindFolder } from './kind-folder.js';
import type { Operation } from './system/administration.js';
import { systemRouter } from './system/router.js';

const LAST = Number.POSITIVE_INFINITY;
const FOLDERS = (Object.values(listed) as readonly KindFolder[]).toSorted(({ order: a = LAST }, { order: b = LAST }) =>
  a === b ? 0 : a - b,
);

/** The kinds that are compiled in. Each has storage, watch, discovery, OpenAPI, tables and a conformance run. */
export function kinds(environment: ApisEnvironment, more: readonly Kind[] = []): readonly Kind[] {
  const all: Kind[] = [];
  all.push(...FOLDERS.flatMap((folder) => folder.kinds).map((kind) => kind(environment, () => all)), ...more);
  return all;
}

/** What the built-in roles may do with the objects of the kinds. */
export const ACCESS = builtInAccess(FOLDERS.flatMap(({ access = {} }) => access));

/**
 * The routers of the legacy API: those of the kinds, and that of the server. The paths in their tables are below
 * `/api`.
 */
export function legacyRouters(services: IamServices, operation: Operation = {}): readonly LegacyRouter[] {
  const { features } = services.environment;
  const isOn = ({ feature }: KindFolder): boolean => feature === undefined || features[feature];
  const routers = FOLDERS.filter(isOn).flatMap(({ legacy }) => legacy?.(services) ?? []);
  return [...routers, systemRouter(services, operation)];
}

/** The names of secrets that no kind or route has today: clients send secrets under these names by mistake. */
const MISTAKEN = [
  'passwd',
  'secret',
  'secretKey',
  'apiKey',
  'accessToken',
  'access_token',
  'refresh_token',
  'auth_token',
];

/** Members of bodies that hold secrets, at any depth. The audit log masks them. */
export const SECRET_FIELDS: readonly string[] = [
  ...new Set([...FOLDERS.flatMap(({ secretFields = [] }) => secretFields), ...MISTAKEN]),
];
