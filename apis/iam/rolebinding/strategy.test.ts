import { expect } from 'chai';
import { MASTERS_GROUP } from '../../../pkg/identity/authn/user.js';
import type { DeleteContext } from '../../../registry/kinds/strategy.js';
import { contextWith, granted, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import { environmentWith } from '../../test-environment.js';
import { role } from '../role/kind.js';
import { roleStrategy } from '../role/strategy.js';
import { roleBinding } from './kind.js';
import { roleBindingStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const BINDINGS = roleBinding(ENVIRONMENT);
const ROLES = role(ENVIRONMENT);
const MASTER = { user: { name: 'root', uid: 'root', groups: [MASTERS_GROUP], extra: {} } };

const roleWith = (...permissions: readonly (readonly [action: string, scope: string])[]) =>
  objectOfKind(ROLES, 'r', { title: 'R', permissions: permissions.map(([action, scope]) => ({ action, scope })) });
const ANN = { kind: 'User', name: 'ann' };
const builtIn = (name: string) => ({ kind: 'BuiltIn', name });
const bound = (spec: object) => objectOfKind(BINDINGS, 'b', { subject: ANN, roleRef: builtIn('Viewer'), ...spec });

/** The fields of the causes, or the code of the refusal. */
function outcome(work: () => readonly { readonly field?: string }[] | undefined): string {
  let fields = '';
  const refusal = thrown(() => {
    fields = (work() ?? []).map(({ field }) => field).join(' ');
  });
  return refusal === '' ? fields : refusal.slice(0, 3);
}

describe('the binding of a role', () => {
  const checked = (spec: object, ctx: DeleteContext = contextWith(), old?: object) =>
    outcome(() => roleBindingStrategy(ENVIRONMENT).validate?.(bound(spec), old && bound(old), ctx));

  it('names a built-in set that there is in its scope', () => {
    for (const name of ['Viewer', 'Editor', 'Admin']) expect(checked({ roleRef: builtIn(name) })).to.equal('');
    for (const name of ['View', 'None', 'viewer', 'constructor', 'toString'])
      expect(checked({ roleRef: builtIn(name) })).to.equal('spec.roleRef.name');
    for (const scope of [{ folder: 'f' }, { dashboard: 'd' }]) {
      for (const name of ['View', 'Edit', 'Admin']) expect(checked({ scope, roleRef: builtIn(name) })).to.equal('');
      for (const name of ['Editor', 'constructor'])
        expect(checked({ scope, roleRef: builtIn(name) })).to.equal('spec.roleRef.name');
    }
    expect(checked({ scope: {}, roleRef: builtIn('Editor') })).to.equal('');
    const causes = roleBindingStrategy(ENVIRONMENT).validate?.(
      bound({ roleRef: builtIn('x') }),
      undefined,
      contextWith(),
    );
    expect(causes?.map(({ message }) => message)).to.deep.equal([
      'Unsupported value: "x": supported values: "Viewer", "Editor", "Admin"',
    ]);
  });

  it('names a basic role that there is', () => {
    const to = (name: string) => checked({ subject: { kind: 'BasicRole', name } });
    expect([to('Viewer'), to('Editor'), to('Admin'), to('Owner'), to('View')]).to.deep.equal([
      '',
      '',
      '',
      'spec.subject.name',
      'spec.subject.name',
    ]);
    expect(checked({ subject: { kind: 'User', name: 'Owner' } })).to.equal('');
  });

  it('is on a folder or on a dashboard', () => {
    expect(checked({ scope: { folder: 'f', dashboard: 'd' }, roleRef: builtIn('View') })).to.equal('spec.scope');
  });

  it('gives nothing that its author lacks, except on what they administer', () => {
    const poor = contextWith([], granted());
    expect(checked({}, poor)).to.equal('403');
    expect(checked({}, poor, {}), 'unchanged').to.equal('');
    expect(checked({ roleRef: builtIn('Editor') }, poor, {})).to.equal('403');
    expect(thrown(() => roleBindingStrategy(ENVIRONMENT).validate?.(bound({}), undefined, poor))).to.contain(
      'rolebindings.iam.svc.app "b" is forbidden',
    );
    expect(checked({ scope: { folder: 'f' }, roleRef: builtIn('View') }, poor)).to.equal('');
  });

  it('gives actions on the whole server only by its administrators', () => {
    const objects = [[ROLES, roleWith(['users:read', 'global.users:*'])]] as const;
    const spec = { roleRef: { kind: 'Role', name: 'r' } };
    expect(checked(spec, contextWith(objects))).to.equal('spec.roleRef.name');
    expect(checked(spec, contextWith(objects, MASTER))).to.equal('');
    expect(checked(spec, contextWith([[ROLES, roleWith(['folders:read', 'folders:*'])]]))).to.equal('');
  });
});

describe('a role', () => {
  const checked = (now: ReturnType<typeof roleWith>, ctx: DeleteContext, old?: ReturnType<typeof roleWith>) =>
    outcome(() => roleStrategy(ENVIRONMENT).validate?.(now, old, ctx));
  const [READ, WRITE, USERS] = [
    ['folders:read', 'folders:*'],
    ['folders:write', 'folders:*'],
    ['users:read', 'global.users:*'],
  ] as const;

  it('gets no permissions that its author lacks, and keeps those that it has', () => {
    const reader = contextWith([], granted({ action: READ[0], scope: READ[1] }));
    expect(checked(roleWith(READ), reader)).to.equal('');
    expect(checked(roleWith(READ, WRITE), reader)).to.equal('403');
    expect(checked(roleWith(READ, WRITE), reader, roleWith(WRITE))).to.equal('');
    expect(thrown(() => roleStrategy(ENVIRONMENT).validate?.(roleWith(WRITE), undefined, reader))).to.contain(
      'roles.iam.svc.app "r" is forbidden',
    );
    expect(checked(roleWith(['folders:write', 'folders:uid:f']), reader, roleWith(WRITE)), 'another scope').to.equal(
      '403',
    );
  });

  it('gets actions on the whole server only by its administrators', () => {
    expect(checked(roleWith(READ, USERS), contextWith())).to.equal('spec.permissions[1].action');
    expect(checked(roleWith(READ, USERS), contextWith(), roleWith(USERS))).to.equal('');
    expect(checked(roleWith(READ, USERS), contextWith([], MASTER))).to.equal('');
  });
});
