import fc from 'fast-check';
import { kinds as allKinds } from '../../apis/kinds.js';
import type { Permission } from '../../pkg/identity/authz/grants.js';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import { CompiledKinds } from '../../registry/kinds/compiled.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { objectKey, resourceDefinition } from '../../registry/kinds/registry.js';
import { encodeText } from '../../storage/state/codec.js';
import { type Entry, entryOf } from '../../storage/state/entry.js';
import { ENVIRONMENT } from '../harness/server.js';

export const kinds = allKinds(ENVIRONMENT);
export const compiled = new CompiledKinds(kinds);
export const NAMES = ['a', 'b', 'c', 'd'] as const;

export interface Placed {
  readonly parent: string | undefined;
  readonly isPrivate: boolean;
}

/** An object whose parent is one of the names before its own, so that there is no circle. */
export const placed = (parents: readonly string[]): fc.Arbitrary<Placed> =>
  fc.record({ parent: fc.constantFrom(undefined, ...parents), isPrivate: fc.boolean() });
export const tree = fc.tuple(...NAMES.map((_, i) => placed(NAMES.slice(0, i))));

export function entry(kind: Kind, name: string, { parent, isPrivate }: Placed, title = name): Entry {
  const annotations = {
    ...(parent !== undefined && { 'svc.app/folder': parent }),
    ...(isPrivate && { 'svc.app/basic-roles': 'none' }),
  };
  const metadata = { name, namespace: 'default', annotations };
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec: { title } };
  const definition = resourceDefinition(kind);
  const key = objectKey(kind, 'default', name);
  return entryOf(definition, key, 1, encodeText(canonicalJson(object), 1));
}

export const permission = (action: string): fc.Arbitrary<Permission> => {
  const kind = `${action.split(':')[0]}`;
  const scope = fc.constantFrom('folders:uid:general', ...NAMES.map((name) => `folders:uid:${name}`), `${kind}:uid:a`);
  const basic: fc.Arbitrary<Permission> = fc.constant({ action, scope: `${kind}:*`, isBasic: true });
  return fc.oneof(
    basic,
    scope.map((one): Permission => ({ action, scope: one })),
    scope.map((one): Permission => ({ action, scope: one, isBasic: true })),
  );
};

/**
 * The rule, without code of the server: a scope of the object or of a folder above is enough. That of a basic role
 * comes down from its place, or from the top, to the first private object.
 */
export function expected(
  permissions: readonly Permission[],
  name: string,
  own: string,
  all: ReadonlyMap<string, Placed>,
): boolean {
  const self = own === 'folders' ? name : `dashboard ${name}`;
  const chain: { readonly scope: string; readonly isPrivate: boolean }[] = [];
  for (let at: string | undefined = self; at !== undefined; at = all.get(at)?.parent) {
    const scope = at === self ? `${own}:uid:${name}` : `folders:uid:${at}`;
    chain.push({ scope, isPrivate: all.get(at)?.isPrivate === true });
  }
  if (own === 'dashboards' && chain.length === 1) chain.push({ scope: 'folders:uid:general', isPrivate: false });
  const isOpenUpTo = (end: number): boolean => chain.slice(0, end).every(({ isPrivate }) => !isPrivate);
  return permissions.some(({ scope, isBasic }) => {
    const place = scope.endsWith('*') ? chain.length : chain.findIndex((one) => one.scope === scope);
    return place >= 0 && (isBasic !== true || isOpenUpTo(place));
  });
}
