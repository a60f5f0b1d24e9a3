import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Kind, Tuple } from '../../../registry/kinds/kind.js';
import type { Reader } from '../../../registry/read/reader.js';
import type { DefinitionObject } from '../customresource/conditions.js';
import { DEFINITIONS } from '../names.js';
import { hasAcceptedAll, type TakenNames } from './names-accepted.js';

/** The index of definitions by the names that they have in their group. */
export const BY_NAME = 'name';

/** The index of definitions that do not have all names that they ask for. */
export const BY_PENDING = 'pending';

export function pendingTuples(object: KubeObject): readonly Tuple[] {
  const { spec, status, metadata } = object as DefinitionObject;
  return metadata.deletionTimestamp !== undefined || hasAcceptedAll({ spec, status }) ? [] : [[metadata.name]];
}

const RESOURCE = 'resource';
const KIND = 'kind';

export function nameTuples(object: KubeObject): readonly Tuple[] {
  const { spec, status } = object as DefinitionObject;
  const { plural, singular, shortNames, kind, listKind } = status?.acceptedNames ?? {};
  const tuple = (sort: string) => (name: string | undefined) => [spec.group ?? '', sort, name ?? ''];
  return [...[plural, singular, ...(shortNames ?? [])].map(tuple(RESOURCE)), ...[kind, listKind].map(tuple(KIND))];
}

/** The names in a group that other definitions have, and the kinds that are built in. */
export function takenIn(reader: Reader, own: string, group: string, builtIn: readonly Kind[]): TakenNames {
  const [resources, kinds] = [new Set<string>(), new Set<string>()];
  for (const item of builtIn) {
    if (item.group !== group || item.qualified === own) continue;
    for (const name of [item.resource, item.singular, ...(item.shortNames ?? [])]) resources.add(name);
    for (const name of [item.kind, `${item.kind}List`]) kinds.add(name);
  }
  const isStored = (sort: string, name: string): boolean =>
    reader.entries(DEFINITIONS, BY_NAME, [group, sort, name], 2).some(({ key }) => !key.endsWith(`/${own}`));
  return {
    resources: { has: (name) => resources.has(name) || isStored(RESOURCE, name) },
    kinds: { has: (name) => kinds.has(name) || isStored(KIND, name) },
  };
}
