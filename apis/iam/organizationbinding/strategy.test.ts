import { expect } from 'chai';
import type { DeleteContext } from '../../../registry/kinds/strategy.js';
import { contextWith, granted, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import { environmentWith } from '../../test-environment.js';
import { organization } from '../organization/kind.js';
import { organizationStrategy } from '../organization/strategy.js';
import { roleBinding } from '../rolebinding/kind.js';
import { organizationBinding } from './kind.js';
import { organizationBindingStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const BINDINGS = organizationBinding(ENVIRONMENT);
const ORGANIZATIONS = organization(ENVIRONMENT);
const GOING = { deletionTimestamp: '2026-01-01T00:00:00Z' };

const member = (name: string, role: string, metadata = {}) =>
  objectOfKind(BINDINGS, name, { userRef: { name }, role }, metadata);
const world = (...members: readonly ReturnType<typeof member>[]) => members.map((one) => [BINDINGS, one] as const);

describe('the membership of a user', () => {
  const strategy = () => organizationBindingStrategy(ENVIRONMENT);
  const changed = (role: string, old: ReturnType<typeof member>, ctx: DeleteContext) =>
    thrown(() => strategy().validate?.(member('ann', role), old, ctx)).slice(0, 3);
  const deleted = (ctx: DeleteContext, who = member('ann', 'Admin')) =>
    thrown(() => strategy().validateDelete?.(who, ctx, new Map())).slice(0, 3);
  const ALONE = contextWith(world(member('ann', 'Admin'), member('bob', 'Editor')));
  const TWO = contextWith(world(member('ann', 'Admin'), member('bob', 'Admin')));

  it('has the name of the user', () => {
    const named = (name: string) =>
      strategy()
        .validate?.(objectOfKind(BINDINGS, name, { userRef: { name: 'ann' }, role: 'Viewer' }), undefined, TWO)
        .map(({ field }) => field);
    expect([named('ann'), named('other')]).to.deep.equal([[], ['spec.userRef.name']]);
  });

  it('stays that of an administrator if there is no other one', () => {
    const admin = member('ann', 'Admin');
    expect([changed('Editor', admin, ALONE), deleted(ALONE)]).to.not.include('');
    expect([changed('Editor', admin, TWO), deleted(TWO), changed('Admin', admin, ALONE)]).to.deep.equal(['', '', '']);
    expect([changed('Viewer', member('ann', 'Editor'), ALONE), deleted(ALONE, member('bob', 'Editor'))]).to.deep.equal([
      '',
      '',
    ]);
  });

  it('does not count administrators who go as well', () => {
    const terminating = contextWith(world(member('ann', 'Admin'), member('bob', 'Admin', GOING)));
    expect([changed('Editor', member('ann', 'Admin'), terminating), deleted(terminating)]).to.not.include('');
    const isGoing = (resource: string, namespace: string, name: string) =>
      resource === BINDINGS.qualified && namespace === 'default' && name === 'bob';
    expect(deleted({ ...TWO, isGoing })).to.not.equal('');
  });

  it('ends with the organization', () => {
    const ending = objectOfKind(ORGANIZATIONS, 'default', { title: 'Main' }, GOING);
    expect(deleted(contextWith([...world(member('ann', 'Admin')), [ORGANIZATIONS, ending]]))).to.equal('');
  });

  it('is given only by those who have what it gives', () => {
    const poor = { ...TWO, ...granted() };
    expect(changed('Editor', member('ann', 'Viewer'), poor)).to.equal('403');
    expect(changed('Editor', member('ann', 'Editor'), poor)).to.equal('');
    const created = (role: string) =>
      thrown(() => strategy().validate?.(member('new', role), undefined, poor)).slice(0, 3);
    expect([created('Viewer'), created('None')]).to.deep.equal(['403', '']);
  });

  it('gives a new member also what is bound to the user', () => {
    const roleBindings = roleBinding(ENVIRONMENT);
    const spec = { subject: { kind: 'User', name: 'ann' }, roleRef: { kind: 'BuiltIn', name: 'Editor' } };
    const ctx = contextWith([[roleBindings, objectOfKind(roleBindings, 'b', spec)]], granted());
    const joined = thrown(() => strategy().validate?.(member('ann', 'None'), undefined, ctx));
    expect(joined).to.match(/^403 organizationbindings.iam.svc.app "ann" is forbidden/);
    expect(changed('None', member('ann', 'Viewer'), ctx)).to.equal('');
  });
});

describe('an organization', () => {
  it('can be deleted, unless it is the first one', () => {
    const deleted = (name: string) =>
      thrown(() =>
        organizationStrategy(ENVIRONMENT).validateDelete?.(objectOfKind(ORGANIZATIONS, name), contextWith(), new Map()),
      );
    expect(deleted('default')).to.match(/^403 organizations.iam.svc.app "default" is forbidden/);
    expect(deleted('org-2')).to.equal('');
  });
});
