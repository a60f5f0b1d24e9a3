import { expect } from 'chai';
import fc from 'fast-check';
import { grantsOf } from '../../pkg/identity/authz/grants.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import { entryAttributes } from '../../registry/kinds/authorizer.js';
import { Reader } from '../../registry/read/reader.js';
import { State } from '../../storage/state/state.js';
import { person } from './people.js';
import { compiled, entry, expected, kinds, NAMES, type Placed, permission, placed, tree } from './places.js';

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
