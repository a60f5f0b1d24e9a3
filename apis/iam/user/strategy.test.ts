import { expect } from 'chai';
import { MASTERS_GROUP } from '../../../pkg/identity/authn/user.js';
import type { DeleteContext } from '../../../registry/kinds/strategy.js';
import { contextWith, granted, objectOfKind, thrown } from '../../../registry/testing/write-context.js';
import { externalIdentity } from '../../internal/externalidentity/kind.js';
import { session } from '../../internal/session/kind.js';
import { hasTrustedLogin } from './address.js';
import { user } from './kind.js';
import { userStrategy } from './strategy.js';

const ENVIRONMENT = { domain: 'svc.app' };
const USERS = user(ENVIRONMENT);
const MASTER = { user: { name: 'root', uid: 'root', groups: [MASTERS_GROUP], extra: {} } };

const person = (name: string, spec: object = {}) =>
  objectOfKind(USERS, name, {
    login: name,
    email: `${name}@x`,
    name: '',
    grafanaAdmin: false,
    disabled: false,
    ...spec,
  });
const ADMIN = { grafanaAdmin: true };
const world = (...people: readonly ReturnType<typeof person>[]) => people.map((one) => [USERS, one] as const);
const CTX = contextWith(world(person('ann'), person('bob')));

describe('a user', () => {
  const strategy = () => userStrategy(ENVIRONMENT);
  const problems = (sent: ReturnType<typeof person>, ctx: DeleteContext = CTX, old?: ReturnType<typeof person>) =>
    strategy()
      .validate?.(sent, old, ctx)
      .map(({ field, reason }) => `${field} ${reason}`);

  it('has a login or an e-mail address, and each stands for the other', () => {
    const both = ({ login, email }: { login: string; email: string }) => {
      const spec = strategy().prepareForCreate?.(person('x', { login, email }), CTX)?.spec;
      return [spec?.login, spec?.email];
    };
    expect(both({ login: 'l', email: '' })).to.deep.equal(['l', 'l']);
    expect(both({ login: '', email: 'e' })).to.deep.equal(['e', 'e']);
    expect(both({ login: 'l', email: 'e' })).to.deep.equal(['l', 'e']);
    const updated = strategy().prepareForUpdate?.(person('x', { login: '' }), person('x'), CTX);
    expect(updated?.spec?.login).to.equal('x@x');
    expect(problems(person('x', { login: '', email: '' }))).to.deep.equal(['spec.login FieldValueRequired']);
    expect([problems(person('x', { login: '' })), problems(person('x', { email: '' }))]).to.deep.equal([[], []]);
  });

  it('does not use what identifies another one', () => {
    expect(problems(person('new'))).to.deep.equal([]);
    expect(problems(person('new', { login: 'ANN@x' }))).to.deep.equal(['spec.login FieldValueDuplicate']);
    expect(problems(person('new', { email: 'Ann' }))).to.deep.equal(['spec.email FieldValueDuplicate']);
    const own = person('ann', { login: 'ann@x', email: 'ann' });
    expect(problems(own, CTX, person('ann', { emailVerified: true })), 'of their own').to.deep.equal([]);
    // The index of unique values refuses these.
    const same = contextWith(world(person('ann', { login: 'same', email: 'same' })));
    expect(problems(person('new', { login: 'same', email: 'same' }), same)).to.deep.equal([]);
  });

  describe('whose e-mail address changes', () => {
    const ann = (uid: string, groups: readonly string[] = []) => ({ user: { name: uid, uid, groups, extra: {} } });
    const [SELF, MANAGER, ADMINISTRATOR] = [ann('ann'), ann('bob'), ann('root', [MASTERS_GROUP])];
    const OWN_ADMINISTRATOR = ann('ann', [MASTERS_GROUP]);
    const SERVER = { user: { name: 'system:apiserver', uid: '', groups: [MASTERS_GROUP], extra: {} } };
    const verified = (sent: object, old: object | undefined, by: Parameters<typeof contextWith>[1]) => {
      const [now, ctx] = [person('ann', sent), contextWith([], by)];
      const made =
        old === undefined
          ? strategy().prepareForCreate?.(now, ctx)
          : strategy().prepareForUpdate?.(now, person('ann', old), ctx);
      return made?.spec?.emailVerified;
    };
    const [KNOWN, UNKNOWN, OTHER] = [{ emailVerified: true }, { emailVerified: false }, { email: 'ceo@x' }];

    it('is known to have it if an administrator of the server sets it, and nobody else', () => {
      expect([verified({}, undefined, ADMINISTRATOR), verified({}, undefined, MANAGER)]).to.deep.equal([true, false]);
      expect(verified(UNKNOWN, undefined, ADMINISTRATOR)).to.equal(false);
      const changed = [SELF, MANAGER, OWN_ADMINISTRATOR, ADMINISTRATOR].map((by) => [
        verified({ ...KNOWN, ...OTHER }, KNOWN, by),
        verified(OTHER, KNOWN, by),
        verified({ ...UNKNOWN, ...OTHER }, UNKNOWN, by),
      ]);
      const [no, yes] = [
        [false, false, false],
        [true, true, true],
      ];
      expect(changed).to.deep.equal([no, no, no, yes]);
    });

    it('keeps what is known with the same address, whatever is left out', () => {
      for (const by of [SELF, MANAGER, ADMINISTRATOR])
        for (const same of [{}, { name: 'Other' }, { email: 'ANN@x' }])
          expect([verified(same, KNOWN, by), verified(same, UNKNOWN, by)]).to.deep.equal([true, false]);
      expect(verified({ email: 'ann@\u212a' }, { email: 'ann@k', ...KNOWN }, SELF), 'the Kelvin sign').to.equal(false);
    });

    it('is said to have it by administrators of the server only', () => {
      for (const by of [SELF, MANAGER]) {
        expect(thrown(() => verified(KNOWN, UNKNOWN, by))).to.match(/^403 .*only server administrators say that/);
        expect(thrown(() => verified(KNOWN, undefined, by))).to.match(/^403/);
        expect(verified(UNKNOWN, KNOWN, by)).to.equal(false);
      }
      expect([ADMINISTRATOR, OWN_ADMINISTRATOR].map((by) => verified(KNOWN, UNKNOWN, by))).to.deep.equal([true, true]);
    });

    it('has it verified or not as the provider says, which the server tells', () => {
      expect(verified({ ...UNKNOWN, ...OTHER }, UNKNOWN, SERVER)).to.equal(false);
      expect(verified({ ...KNOWN, ...OTHER }, UNKNOWN, SERVER)).to.equal(true);
    });

    it('is told if that is another answer than was sent', () => {
      const told: string[] = [];
      const by = { ...SELF, warn: (message: string) => void told.push(message) };
      verified({ ...KNOWN, ...OTHER }, KNOWN, by);
      verified(OTHER, KNOWN, by);
      expect(told).to.have.length(1);
      expect(told[0]).to.match(/^spec\.emailVerified: is now false, because the e-mail address is new/);
    });

    it('takes no address of others as login by themselves', () => {
      const as = (by: typeof SELF) => contextWith([], by);
      const at = (login: string, more: object, old: object, by = SELF) =>
        problems(person('ann', { login, ...more }), as(by) as DeleteContext, person('ann', old));
      const REFUSED = ['spec.login FieldValueInvalid'];
      expect(at('ceo@x', {}, KNOWN)).to.deep.equal(REFUSED);
      expect(at('ceo@x', OTHER, KNOWN), 'their own').to.deep.equal([]);
      expect(at('ceo@x', {}, { login: 'ceo@x', ...OTHER, ...UNKNOWN }), 'kept beside another').to.deep.equal(REFUSED);
      expect(at('ann@x', OTHER, { login: 'ann@x', ...KNOWN }), 'kept, and verified').to.deep.equal([]);
      expect([at('ceo@x', {}, KNOWN, MANAGER), at('ceo@x', {}, KNOWN, ADMINISTRATOR)]).to.deep.equal([[], []]);
    });
  });

  it('has no login, address or name that looks like that of another one', () => {
    for (const text of ['ann\u00ad', 'a\u200bnn', '\u202eann', 'ann\ufe0f']) {
      expect(problems(person('new', { login: text }))).to.deep.equal(['spec.login FieldValueInvalid']);
      expect(problems(person('new', { email: text }))).to.deep.equal(['spec.email FieldValueInvalid']);
    }
    for (const login of ['аnn', 'ＡＮＮ', 'аnn@x'])
      expect(problems(person('new', { login })), login).to.deep.equal(['spec.login FieldValueInvalid']);
    expect(problems(person('new', { name: 'Ann\u202e' }))).to.deep.equal(['spec.name FieldValueInvalid']);
    expect(problems(person('new', { login: 'анна', name: '👩\u200d🚀' }))).to.deep.equal([]);
    for (const [taken, login] of [
      ['\u0430lice', 'alice'],
      ['\u0430lice', '\u03b1lice'],
      ['\u0430lice', '\u03b1LICE'],
    ] as const) {
      const ctx = contextWith([[USERS, person('other', { login: taken, email: 'o@x' })]]);
      expect(problems(person('new', { login }), ctx), login).to.deep.equal(['spec.login FieldValueInvalid']);
      expect(problems(person('new', { email: login }), ctx), login).to.deep.equal(['spec.email FieldValueInvalid']);
    }
    const kept = person('new', { login: 'a\u200bnn' });
    expect(
      problems({ ...kept, spec: { ...kept.spec, name: 'Other' } } as typeof kept, CTX, kept),
      'kept',
    ).to.deep.equal([]);
  });

  it('has no login that looks like the server', () => {
    for (const login of ['system:x', 'SYSTEM:admin'])
      expect(problems(person('x', { login }))).to.deep.equal(['spec.login FieldValueInvalid']);
    expect(problems(person('x', { login: 'systemic' }))).to.deep.equal([]);
  });

  it('becomes an administrator of the server only by one', () => {
    const refused = (now: boolean, before: boolean | undefined, more = {}) => {
      const ctx = contextWith([], more);
      const sent = person('x', { grafanaAdmin: now });
      if (before === undefined) return thrown(() => strategy().prepareForCreate?.(sent, ctx)).slice(0, 3);
      return thrown(() => strategy().prepareForUpdate?.(sent, person('x', { grafanaAdmin: before }), ctx)).slice(0, 3);
    };
    expect([refused(false, undefined), refused(false, false), refused(true, true)]).to.deep.equal(['', '', '']);
    expect([refused(true, undefined), refused(true, false), refused(false, true)]).to.deep.equal(['403', '403', '403']);
    expect([
      refused(true, undefined, MASTER),
      refused(true, false, MASTER),
      refused(false, true, MASTER),
    ]).to.deep.equal(['', '', '']);
  });

  describe('whom administrators of an organization create', () => {
    const made = (createdIn?: string, old?: object, more = {}, most = 2) => {
      const ctx = contextWith(world(person('one', { createdIn: 'default' }), person('two', { createdIn: 'b' })), more);
      const rules = userStrategy({ ...ENVIRONMENT, maxOrganizationAccounts: most });
      const sent = person('new', createdIn === undefined ? {} : { createdIn });
      return thrown(() =>
        old === undefined
          ? rules.prepareForCreate?.(sent, ctx)
          : rules.prepareForUpdate?.(sent, person('new', old), ctx),
      );
    };

    it('is said to be theirs by the server and its administrators only', () => {
      expect(made('default', undefined, granted())).to.match(/^403 .*only the server and its administrators decide/);
      expect(made(undefined, { createdIn: 'default' }, granted())).to.match(/^403/);
      expect([
        made('default'),
        made(undefined, { createdIn: 'default' }),
        made('b', { createdIn: 'b' }, granted()),
      ]).to.deep.equal(['', '', '']);
    });

    it('is one of a bounded number in each organization', () => {
      expect([made('default', undefined, {}, 2), made('default', undefined, {}, 1).slice(0, 3)]).to.deep.equal([
        '',
        '403',
      ]);
      expect([
        made('c', undefined, {}, 1),
        made(undefined, undefined, {}, 0),
        made('default', { createdIn: 'default' }, {}, 1),
      ]).to.deep.equal(['', '', '']);
      expect(made('default', undefined, {}, 1))
        .to.contain('have created 1 accounts')
        .and.to.contain('of the server can');
      expect(made('c', undefined, {}, 0)).to.contain('security.max_organization_accounts is 0');
    });

    it('is found by the login for nobody who signs in elsewhere, until the address is verified', () => {
      const trusted = (spec: object) => hasTrustedLogin(person('jo', { emailVerified: false, ...spec }));
      expect([trusted({}), trusted({ createdIn: 'default' })]).to.deep.equal([true, false]);
      expect(trusted({ createdIn: 'default', emailVerified: true })).to.equal(true);
    });
  });

  it('stays an administrator if there is no other one', () => {
    const [ann, bob] = [person('ann', ADMIN), person('bob', ADMIN)];
    const [one, two] = [contextWith(world(ann, person('bob'))), contextWith(world(ann, bob))];
    const dismissed = (ctx: DeleteContext) => thrown(() => problems(person('ann'), ctx, ann)).slice(0, 3);
    const deleted = (ctx: DeleteContext, who = ann) =>
      thrown(() => strategy().validateDelete?.(who, ctx, new Map())).slice(0, 3);
    expect([dismissed(one), dismissed(two), deleted(one), deleted(two)].map((code) => code !== '')).to.deep.equal([
      true,
      false,
      true,
      false,
    ]);
    expect(deleted(one, person('bob'))).to.equal('');
    const isGoing = (resource: string, namespace: string, name: string) =>
      resource === USERS.qualified && namespace === '' && name === 'bob';
    expect(deleted({ ...two, isGoing })).not.to.equal('');
    expect(problems(ann, one, ann)).to.deep.equal([]);
    const refusal = thrown(() => strategy().validateDelete?.(ann, one, new Map()));
    expect(refusal).to.match(/^403 users\.iam\.svc\.app "ann" is forbidden: cannot remove last/);
    expect(problems(person('cid', ADMIN), one, person('cid'))).to.deep.equal([]);
  });

  it('whose provider decides about the profile changes it nowhere else', () => {
    const identities = externalIdentity(ENVIRONMENT);
    const link = objectOfKind(identities, 'i', { userRef: { name: 'ann' }, provider: 'p', subject: 's' });
    const ofBob = objectOfKind(identities, 'i', { userRef: { name: 'bob' }, provider: 'p', subject: 's' });
    const refused = (
      change: object,
      caller = 'ann',
      objects: Parameters<typeof contextWith>[0] = [[identities, link]],
    ) => {
      const ctx = contextWith(objects, { user: { name: caller, uid: caller, groups: [], extra: {} } });
      return thrown(() => strategy().prepareForUpdate?.(person('ann', change), person('ann'), ctx)).slice(0, 3);
    };
    for (const change of [{ login: 'y' }, { email: 'y' }, { name: 'y' }]) {
      expect(refused(change)).to.equal('403');
      expect(refused(change, 'system:serviceaccount:default:a')).to.equal('403');
      expect(refused(change, 'system:server')).to.equal('');
      expect(refused(change, 'ann', [])).to.equal('');
      expect(refused(change, 'ann', [[identities, ofBob]])).to.equal('');
    }
    expect(refused({ disabled: true })).to.equal('');
  });

  it('loses all sessions when disabled', () => {
    const sessions = session(ENVIRONMENT);
    const own = objectOfKind(sessions, 's', { userRef: { name: 'ann' } });
    const ctx = contextWith([[sessions, own]]);
    const lost = (now: boolean, before: boolean) =>
      strategy()
        .alsoDelete?.(person('ann', { disabled: now }), person('ann', { disabled: before }), ctx)
        .map(({ name }) => name);
    expect([lost(true, false), lost(true, true), lost(false, true), lost(false, false)]).to.deep.equal([
      ['s'],
      [],
      [],
      [],
    ]);
  });
});
