import { expect } from 'chai';
import type { Kind } from '../../../registry/kinds/kind.js';
import { contextWith, granted, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import { token } from '../../internal/token/kind.js';
import { tokenStrategy } from '../../internal/token/strategy.js';
import { environmentWith } from '../../test-environment.js';
import { roleBinding } from '../rolebinding/kind.js';
import { teamBinding } from '../teambinding/kind.js';
import { teamBindingStrategy } from '../teambinding/strategy.js';
import { serviceAccount } from './kind.js';
import { serviceAccountStrategy } from './strategy.js';

const ENVIRONMENT = environmentWith();
const ACCOUNTS = serviceAccount(ENVIRONMENT);
const BINDINGS = roleBinding(ENVIRONMENT);
const TOKENS = token(ENVIRONMENT);
const MEMBERS = teamBinding(ENVIRONMENT);

const account = (role: string, disabled = false) => objectOfKind(ACCOUNTS, 'robot', { title: 'R', role, disabled });
/** A binding that makes the subject an Editor. */
const editor = (kind: string, name: string): readonly [Kind, ReturnType<typeof objectOfKind>] => [
  BINDINGS,
  objectOfKind(BINDINGS, 'b', { subject: { kind, name }, roleRef: { kind: 'BuiltIn', name: 'Editor' } }),
];
const POOR = contextWith([editor('ServiceAccount', 'robot')], granted());

describe('a service account', () => {
  const checked = (now: ReturnType<typeof account>, old?: ReturnType<typeof account>, ctx = POOR) =>
    thrown(() => serviceAccountStrategy(ENVIRONMENT).validate?.(now, old, ctx)).slice(0, 3);

  it('gets no role that its author lacks, and keeps the one that it has', () => {
    expect([
      checked(account('None')),
      checked(account('Viewer')),
      checked(account('Viewer'), account('None')),
    ]).to.deep.equal(['', '403', '403']);
    expect(checked(account('Viewer'), account('Viewer'))).to.equal('');
    const refusal = thrown(() => serviceAccountStrategy(ENVIRONMENT).validate?.(account('Viewer'), undefined, POOR));
    expect(refusal).to.contain('serviceaccounts.iam.svc.app "robot" is forbidden');
    expect(checked(account('Viewer', true), account('Viewer'))).to.equal('');
  });

  it('gets everything that is bound to it when it is enabled again', () => {
    expect(checked(account('None'), account('None', true))).to.equal('403');
    const without = objectOfKind(ACCOUNTS, 'robot', { title: 'R', role: 'None' });
    expect(checked(without, account('None', true)), 'the member is left out').to.equal('403');
    expect(checked(account('None', true), account('None', true))).to.equal('');
    expect(checked(account('None'), account('None', true), contextWith([], granted()))).to.equal('');
  });
});

describe('the token of a service account', () => {
  const NOW = Date.parse('2026-01-01T00:00:00Z');
  const HOUR = 3_600_000;
  const made = (expires?: number) => {
    const until = expires === undefined ? {} : { expires: new Date(expires).toISOString() };
    return objectOfKind(TOKENS, 't', { serviceAccountRef: { name: 'robot' }, ...until });
  };
  const strategyWith = (maxTokenLifetime?: number) =>
    tokenStrategy(environmentWith({}, maxTokenLifetime === undefined ? {} : { maxTokenLifetime }));

  it('expires at the latest after the maximum lifetime', () => {
    const expires = (sent: ReturnType<typeof made>, longest?: number) =>
      strategyWith(longest).prepareForCreate?.(sent, POOR)?.spec?.expires;
    expect([expires(made()), expires(made(NOW + 5), HOUR)]).to.deep.equal([undefined, '2026-01-01T00:00:00.005Z']);
    expect(expires(made(), HOUR)).to.equal('2026-01-01T01:00:00.000Z');
    const causes = (at?: number, longest?: number, old?: ReturnType<typeof made>) =>
      strategyWith(longest)
        .validate?.(made(at), old, contextWith())
        .map(({ field }) => field);
    expect([causes(), causes(NOW + 1e12), causes(NOW + HOUR + 1000, HOUR)]).to.deep.equal([[], [], []]);
    expect(causes(NOW + HOUR + 1001, HOUR)).to.deep.equal(['spec.expires']);
    expect(causes(NOW + 1e12, HOUR, made(NOW + 1e12)), 'it exists already').to.deep.equal([]);
  });

  it('is issued only by those who have everything that the account has', () => {
    const checked = (objects: Parameters<typeof contextWith>[0], old?: ReturnType<typeof made>) =>
      thrown(() => strategyWith().validate?.(made(), old, contextWith(objects, granted()))).slice(0, 45);
    expect(checked([[ACCOUNTS, account('Viewer')]])).to.equal('403 serviceaccounts.iam.svc.app "robot" is fo');
    expect(checked([[ACCOUNTS, account('None')], editor('ServiceAccount', 'robot')])).to.match(/^403/);
    expect(checked([[ACCOUNTS, account('None')]])).to.equal('');
    expect(checked([[ACCOUNTS, account('Viewer')]], made()), 'a change').to.equal('');
    expect(checked([])).to.equal('');
  });
});

describe('the membership of a team', () => {
  const member = (team: string, person: string) =>
    objectOfKind(MEMBERS, 'm', { teamRef: { name: team }, userRef: { name: person } });
  const fields = (now: ReturnType<typeof member>, old?: ReturnType<typeof member>) =>
    teamBindingStrategy(ENVIRONMENT)
      .validate?.(now, old, contextWith())
      .map(({ field }) => field);

  it('is always of the same user in the same team', () => {
    expect(fields(member('t', 'ann'))).to.deep.equal([]);
    expect(fields(member('t', 'ann'), member('t', 'ann'))).to.deep.equal([]);
    expect(fields(member('u', 'bob'), member('t', 'ann'))).to.deep.equal(['spec.teamRef.name', 'spec.userRef.name']);
    expect(fields(member('t', 'bob'), member('t', 'ann'))).to.deep.equal(['spec.userRef.name']);
  });

  it('is given only by those who have what is bound to the team', () => {
    const ctx = contextWith([editor('Team', 't')], granted());
    const added = (team: string, old?: ReturnType<typeof member>) =>
      thrown(() => teamBindingStrategy(ENVIRONMENT).validate?.(member(team, 'ann'), old, ctx)).slice(0, 3);
    expect([added('t'), added('other'), added('t', member('t', 'ann'))]).to.deep.equal(['403', '', '']);
    const refusal = thrown(() => teamBindingStrategy(ENVIRONMENT).validate?.(member('t', 'ann'), undefined, ctx));
    expect(refusal).to.contain('teambindings.iam.svc.app "m" is forbidden');
  });
});
