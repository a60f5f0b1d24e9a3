import { expect } from 'chai';
import fc from 'fast-check';
import { kinds as allKinds } from '../../apis/kinds.js';
import { type Grants, grantsOf } from '../../pkg/identity/authz/grants.js';
import { canonicalJson } from '../../pkg/kube/json/canonical.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
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
const NAMES = ['a', 'b', 'c'];

const scope = fc.constantFrom(
  ...['folders:*', 'folders:uid:*', 'dashboards:*', '*', 'folders:uid:general', 'dashboards:uid:a', 'dashboards:uid:x'],
  ...NAMES.map((name) => `folders:uid:${name}`),
);

function entry(kind: Kind, name: string, container: string | undefined): Entry {
  const annotations = container === undefined ? {} : { annotations: { 'svc.app/folder': container } };
  const metadata = { name, namespace: 'default', ...annotations };
  const object = { apiVersion: kind.apiVersion, kind: kind.kind, metadata, spec: { title: name } };
  const value = encodeText(canonicalJson(object), 1);
  return entryOf(resourceDefinition(kind), objectKey(kind, 'default', name), 1, value);
}

/** The folder `b` lies in `a`, and `c` at the root. */
function folders(): Reader {
  const folder = compiled.get('folder/Folder');
  const draft = new State(0).draft();
  for (const name of NAMES) draft.put(folder.qualified, entry(folder, name, name === 'b' ? 'a' : undefined));
  return new Reader(draft.finish(1, new Map()));
}

describe('a container from which a filter allows nothing', () => {
  const reader = folders();
  const filterOf = (kind: Kind, grants: Grants) => {
    const resolved = { grants: () => grants, isMember: () => true, isCurrent: () => true };
    const authorizer = createAuthorizer(kinds, { resolve: () => resolved });
    return authorizer.readFilter({ user: person('someone'), verb: 'list', kind, namespace: 'default' }, reader);
  };

  for (const [kindName, action] of [
    ['dashboard/Dashboard', 'dashboards:read'],
    ['folder/Folder', 'folders:read'],
  ] as const) {
    const kind = compiled.get(kindName);

    it(`has no ${kindName} that the filter allows`, () => {
      fc.assert(
        fc.property(fc.array(scope, { maxLength: 3 }), (scopes) => {
          const filter = filterOf(kind, grantsOf(scopes.map((one) => ({ action, scope: one }))));
          for (const container of [undefined, ...NAMES]) {
            if (!filter.excludes(container)) continue;
            for (const name of ['a', 'x']) expect(filter.allows(entry(kind, name, container))).to.equal(false);
          }
        }),
        { numRuns: 300 },
      );
    });
  }

  it('is found without asking for each dashboard, if the caller may view some folders only', () => {
    const kind = compiled.get('dashboard/Dashboard');
    const filter = filterOf(kind, grantsOf([{ action: 'dashboards:read', scope: 'folders:uid:a' }]));
    expect([undefined, ...NAMES].map((container) => filter.excludes(container))).to.deep.equal([
      true,
      false,
      false,
      true,
    ]);
  });
});
