import { expect } from 'chai';
import fc from 'fast-check';
import { kinds as allKinds } from '../../apis/kinds.js';
import { grantsOf, type Permission } from '../../pkg/authz/grants.js';
import { canonicalJson } from '../../pkg/json/canonical.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import { entryAttributes } from '../../registry/kinds/authorizer.js';
import { CompiledKinds } from '../../registry/kinds/compiled.js';
import type { Kind } from '../../registry/kinds/kind.js';
import { objectKey, resourceDefinition } from '../../registry/kinds/registry.js';
import { Reader } from '../../registry/read/reader.js';
import { encodeText } from '../../storage/state/codec.js';
import { type Entry, entryOf } from '../../storage/state/entry.js';
import { State } from '../../storage/state/state.js';
import { ENVIRONMENT } from '../harness/server.js';
import { person } from './people.js';

const kinds = allKinds(ENVIRONMENT);
const compiled = new CompiledKinds(kinds);
const NAMES = ['a', 'b', 'c', 'd'] as const;

interface Placed {
  readonly parent: string | undefined;
  readonly isPrivate: boolean;
}

/** An object whose parent is one of the names before its own, so that there is no circle. */
const placed = (parents: readonly string[]): fc.Arbitrary<Placed> =>
  fc.record({ parent: fc.constantFrom(undefined, ...parents), isPrivate: fc.boolean() });
const tree = fc.tuple(...NAMES.map((_, i) => placed(NAMES.slice(0, i))));

function entry(kind: Kind, name: string, { parent, isPrivate }: Placed): Entry {
  const annotations = {
    ...(parent !== undefined && { 'svc.app/folder': parent }),
    ...(isPrivate && { 'svc.app/basic-roles': 'none' }),
  };
  const metadata = { name, namespace: 'default', annotations };
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec: { title: name } };
  const definition = resourceDefinition(kind);
  const key = objectKey(kind, 'default', name);
  return entryOf(definition, key, 1, encodeText(canonicalJson(object), 1));
}

const permission = (action: string): fc.Arbitrary<Permission> => {
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
 * The rule, without code of the server: a scope of the object or of a folder above is enough. That of a basic role comes down from its place, or from the
 * top, to the first private object.
 */
function expected(permissions: readonly Permission[], name: string, own: string, all: Map<string, Placed>): boolean {
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

describe('a permission of a basic role', () => {
  for (const [kindName, own] of [
    ['folder/Folder', 'folders'],
    ['dashboard/Dashboard', 'dashboards'],
  ] as const) {
    const [kind, folder] = [compiled.get(kindName), compiled.get('folder/Folder')];
    const action = `${own}:read`;

    it(`reaches a ${kindName} where nothing above it is private, in lists as in gets`, () => {
      const property = fc.property(
        tree,
        placed(NAMES),
        fc.array(permission(action), { maxLength: 3 }),
        (folders, dashboard, permissions) => {
          const all = new Map<string, Placed>(folders.map((one, i) => [NAMES[i] ?? '', one]));
          all.set('dashboard x', dashboard);
          const draft = new State(0).draft();
          for (const name of NAMES) draft.put(folder.qualified, entry(folder, name, all.get(name) as Placed));
          const x = entry(compiled.get('dashboard/Dashboard'), 'x', dashboard);
          draft.put(x.key.split('/')[0] ?? '', x);
          const reader = new Reader(draft.finish(1, new Map()));
          const grants = grantsOf(permissions);
          const resolved = { grants: () => grants, isMember: () => true, isCurrent: () => true };
          const authorizer = createAuthorizer(kinds, { resolve: () => resolved });
          const at = { user: person('someone'), kind, namespace: 'default' };
          const filter = authorizer.readFilter({ ...at, verb: 'list' }, reader);
          for (const name of own === 'folders' ? NAMES : ['x']) {
            const stored = reader.entry(kind.qualified, 'default', name);
            if (stored === undefined) throw new Error(`${name} is not stored`);
            const wanted = expected(permissions, name, own, all);
            const object = entryAttributes(stored);
            const missing = authorizer.missing({ ...at, verb: 'get', name, object }, reader);
            expect(missing?.length === 0, `get ${name}`).to.equal(wanted);
            expect(filter.allows(stored), `list ${name}`).to.equal(wanted);
            if (filter.excludes(stored.attributes.container)) expect(wanted, `excluded ${name}`).to.equal(false);
            if (filter.all) expect(wanted, `all ${name}`).to.equal(true);
          }
        },
      );
      fc.assert(property, { numRuns: 1000 });
    });
  }
});
