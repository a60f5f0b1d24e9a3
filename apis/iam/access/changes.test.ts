import { expect } from 'chai';
import fc from 'fast-check';
import { AUTHENTICATED_GROUP, MASTERS_GROUP, type UserInfo } from '../../../pkg/identity/authn/user.js';
import { runs } from '../../../pkg/system/testing/runs.js';
import { runSteps } from '../../../pkg/system/yielding/steps.js';
import { createAuthorizer } from '../../../registry/authorization/permission-authorizer.js';
import { type Authorizer, entryAttributes } from '../../../registry/kinds/authorizer.js';
import type { Kind } from '../../../registry/kinds/kind.js';
import type { Reader } from '../../../registry/read/reader.js';
import { readerOf } from '../../../registry/testing/reader.js';
import { NAMESPACE, objectOfKind } from '../../../registry/testing/write-context.js';
import { grantSource } from '../../authorization/grants.js';
import { folder } from '../../folder/folder/kind.js';
import { environmentWith } from '../../test-environment.js';
import { organizationBinding } from '../organizationbinding/kind.js';
import { role } from '../role/kind.js';
import { roleBinding } from '../rolebinding/kind.js';
import type { RoleBindingSpec } from '../rolebinding/schema.js';
import { serviceAccount } from '../serviceaccount/kind.js';
import { team } from '../team/kind.js';
import { teamBinding } from '../teambinding/kind.js';
import { user } from '../user/kind.js';
import { type AccessChange, accessChanges, type ChangeOptions, personChanges } from './changes.js';
import { LEVELS } from './levels.js';
import { type Place, placeAt, placeOf } from './place.js';

const ENVIRONMENT = environmentWith();
const KINDS: readonly Kind[] = [
  folder,
  organizationBinding,
  role,
  roleBinding,
  serviceAccount,
  team,
  teamBinding,
  user,
].map((make) => make(ENVIRONMENT) as Kind);
const named = (name: string): Kind => KINDS.find(({ kind }) => kind === name) as Kind;
/** It remembers grants by revisions, which mean something else in each state here. */
const newAuthorizer = () => createAuthorizer(KINDS, grantSource({ ...ENVIRONMENT, anonymousRole: 'None' }));

interface FolderModel {
  readonly above: string | undefined;
  readonly isPrivate: boolean;
}

/** An organization: four folders, five users of whom one is disabled and one administers the server, and an account. */
interface Model {
  readonly folders: Readonly<Record<string, FolderModel>>;
  readonly roles: readonly string[];
  readonly teams: readonly (readonly [team: string, user: number])[];
  readonly bindings: Readonly<Record<string, RoleBindingSpec>>;
}

const USERS = ['anna', 'ben', 'cleo', 'disabled', 'root'] as const;
const TEAMS = ['red', 'blue'] as const;
const FOLDERS = ['a', 'b', 'c', 'd'] as const;
const WRITE = ['folders:create', 'folders:write', 'folders:delete', 'folders:read'];
const CUSTOM: Readonly<Record<string, readonly object[]>> = {
  reader: [{ action: 'folders:read', scope: 'folders:*' }],
  narrow: WRITE.map((action) => ({ action, scope: 'folders:uid:a' })),
  star: [{ action: 'folders:*', scope: 'folders:uid:c' }],
  alerts: [{ action: 'alert.rules:read', scope: 'folders:uid:d' }],
};

function stateOf({ folders, roles, teams, bindings }: Model): Reader {
  const make = (kind: string, name: string, spec: object, annotations?: Readonly<Record<string, string>>) =>
    [named(kind), objectOfKind(named(kind), name, spec, annotations && { annotations })] as const;
  const annotationsOf = ({ above, isPrivate }: FolderModel) => ({
    ...(above !== undefined && { 'svc.app/folder': above }),
    ...(isPrivate && { 'svc.app/basic-roles': 'none' }),
  });
  return readerOf([
    ...Object.entries(folders).map(([name, one]) => make('Folder', name, { title: name }, annotationsOf(one))),
    ...USERS.map((name) =>
      make('User', name, {
        login: name,
        email: name,
        name: '',
        disabled: name === 'disabled',
        grafanaAdmin: name === 'root',
      }),
    ),
    ...USERS.map((name, at) => make('OrganizationBinding', name, { userRef: { name }, role: roles[at] })),
    ...TEAMS.map((name) => make('Team', name, { title: `Team ${name}` })),
    ...teams.map(([team, at]) =>
      make('TeamBinding', `${team}.${USERS[at]}`, {
        teamRef: { name: team },
        userRef: { name: USERS[at] },
        permission: 'member',
      }),
    ),
    make('ServiceAccount', 'robot', { title: 'Robot', role: roles[USERS.length], disabled: false }),
    ...Object.entries(CUSTOM).map(([name, permissions]) => make('Role', name, { permissions })),
    ...Object.entries(bindings).map(([name, spec]) => make('RoleBinding', name, spec)),
  ]);
}

const CALLERS: Readonly<Record<string, UserInfo>> = Object.fromEntries([
  ...USERS.map((name) => [
    name,
    { name, uid: name, groups: [AUTHENTICATED_GROUP, ...(name === 'root' ? [MASTERS_GROUP] : [])], extra: {} },
  ]),
  ['robot', { name: `system:serviceaccount:${NAMESPACE}:robot`, uid: 'robot', groups: [], extra: {} }],
]);

const OWN: Readonly<Record<string, readonly string[]>> = {
  View: ['folders:read'],
  Edit: WRITE,
  Admin: [...WRITE, 'folders.permissions:read', 'folders.permissions:write'],
};

/** The level of a caller, as the authorizer decides about each action. */
function levelOf(caller: UserInfo, folder: string, reader: Reader, authorizer: Authorizer): string {
  const kind = named('Folder');
  const entry = reader.entry(kind.qualified, NAMESPACE, folder);
  const has = (action: string): boolean =>
    authorizer.hasAction(
      { user: caller, verb: 'get', kind, namespace: NAMESPACE },
      action,
      entry && entryAttributes(entry),
      reader,
    );
  return LEVELS.toReversed().find((level) => OWN[level]?.every(has) === true) ?? '';
}

/** Only the level, without custom roles, which the authorizer does not name. */
const plain = (level: string): string => LEVELS.find((one) => level === one || level.startsWith(`${one} and `)) ?? '';

function optionsOn(reader: Reader, more: Partial<ChangeOptions> = {}): ChangeOptions {
  return { reader, namespace: NAMESPACE, environment: ENVIRONMENT, ...more };
}

const subject = fc.oneof(
  fc.constantFrom(...USERS).map((name) => ({ kind: 'User' as const, name: name as string })),
  fc.constantFrom(...TEAMS).map((name) => ({ kind: 'Team' as const, name: name as string })),
  fc.constantFrom('Viewer', 'Editor', 'Admin').map((name) => ({ kind: 'BasicRole' as const, name })),
  fc.constant({ kind: 'ServiceAccount' as const, name: 'robot' }),
);
const custom = fc.constantFrom(...Object.keys(CUSTOM)).map((name) => ({ kind: 'Role' as const, name }));
const builtIn = (...names: readonly string[]) =>
  fc.constantFrom(...names).map((name) => ({ kind: 'BuiltIn' as const, name }));
const binding: fc.Arbitrary<RoleBindingSpec> = fc.oneof(
  fc.record({
    subject,
    roleRef: fc.oneof(builtIn('View', 'Edit', 'Admin'), custom),
    scope: fc.constantFrom(...FOLDERS).map((folder) => ({ folder: folder as string })),
  }),
  fc.record({ subject, roleRef: fc.oneof(builtIn('Viewer', 'Editor', 'Admin'), custom) }),
);
const model: fc.Arbitrary<Model> = fc.record({
  folders: fc
    .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.boolean(), fc.constantFrom(undefined, 'a', 'd'))
    .map(([a, b, c, d, above]) => ({
      a: { above: undefined, isPrivate: a },
      b: { above, isPrivate: b },
      c: { above: 'b', isPrivate: c },
      d: { above: undefined, isPrivate: d },
    })),
  roles: fc.array(fc.constantFrom('None', 'Viewer', 'Editor', 'Admin'), { minLength: 6, maxLength: 6 }),
  teams: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...TEAMS), fc.nat(4)), { maxLength: 6, selector: (pair) => pair.join() })
    .map((all) => all),
  bindings: fc.array(binding, { maxLength: 7 }).map((all) => Object.fromEntries(all.map((one, at) => [`b${at}`, one]))),
});

interface Written {
  readonly model: Model;
  readonly target: string;
  places(reader: Reader): readonly [before: Place, after: Place];
  readonly more: Partial<ChangeOptions>;
}

/** The folder b is moved, or gets another privacy. */
function placed(before: Model, above: string | undefined, isPrivate: boolean): Written {
  const target = { kind: 'Folder', name: 'b' } as const;
  return {
    model: { ...before, folders: { ...before.folders, b: { above, isPrivate } } },
    target: 'b',
    more: {},
    places: (reader) => [
      placeOf(target, optionsOn(reader)),
      placeAt(target, { container: above, isPrivate }, optionsOn(reader)),
    ],
  };
}

type Specs = Readonly<Record<string, RoleBindingSpec | undefined>>;

/** Bindings are made, changed or deleted. Both places are the folder c, which lies in b. */
function bound(before: Model, specs: Specs): Written {
  const all: Specs = { ...before.bindings, ...specs };
  const names = new Set(Object.keys(specs));
  const writtenIn = (from: Specs) =>
    [...names].flatMap((name) => (from[name] === undefined ? [] : [{ name, spec: from[name] }]));
  const [old, now] = [writtenIn(before.bindings), writtenIn(specs)];
  return {
    model: {
      ...before,
      bindings: Object.fromEntries(Object.entries(all).flatMap(([name, spec]) => (spec ? [[name, spec]] : []))),
    },
    target: 'c',
    more: {
      change: {
        subjects: [...old, ...now].map(({ spec }) => spec.subject),
        before: { names, bindings: old },
        after: { names, bindings: now },
      },
    },
    places: (reader) => {
      const place = placeOf({ kind: 'Folder', name: 'c' }, optionsOn(reader));
      return [place, place];
    },
  };
}

const written = model.chain((before) =>
  fc
    .oneof(
      fc
        .tuple(fc.constantFrom(undefined, 'a', 'd'), fc.boolean())
        .map(([above, isPrivate]) => placed(before, above, isPrivate)),
      fc
        .dictionary(fc.constantFrom('b0', 'b1', 'new'), fc.option(binding, { nil: undefined }))
        .map((specs) => bound(before, specs)),
    )
    .map((after) => ({ before, after })),
);

const sum = (rows: readonly AccessChange[]): number =>
  rows.reduce((all, { people }) => all + (people === undefined ? 1 : people.changed), 0);

describe('changes of access', () => {
  it('are the difference of what the authorizer decides for everybody before and after', () => {
    fc.assert(
      fc.property(written, fc.boolean(), ({ before, after }, isStored) => {
        const [was, is] = [stateOf(before), stateOf(after.model)];
        const [then, now] = [newAuthorizer(), newAuthorizer()];
        const expected = Object.entries(CALLERS).flatMap(([name, caller]) => {
          const [from, to] = [levelOf(caller, after.target, was, then), levelOf(caller, after.target, is, now)];
          return from === to ? [] : [`${name}: ${from} -> ${to}`];
        });
        // It does not matter whether written bindings are stored already.
        const base = after.more.change !== undefined && isStored ? is : was;
        const [place, next] = after.places(base);
        const found = runSteps(personChanges(place, next, optionsOn(base, after.more)));
        const levels = found.map(({ person, from, to }) => [person.name, plain(from), plain(to)] as const);
        const changed = levels.flatMap(([name, from, to]) => (from === to ? [] : [`${name}: ${from} -> ${to}`]));
        expect(changed.toSorted()).to.deep.equal(expected.toSorted());
        expect(sum(runSteps(accessChanges(place, next, optionsOn(base, after.more))))).to.equal(found.length);
      }),
      { numRuns: runs(100) },
    );
  });

  const OPEN = { a: { above: undefined, isPrivate: false }, b: { above: 'a', isPrivate: false } };
  const base: Model = {
    folders: OPEN,
    roles: ['Viewer', 'Viewer', 'Editor', 'Viewer', 'Admin', 'None'],
    teams: [],
    bindings: {},
  };
  const on = (folder: string, who: RoleBindingSpec['subject'], name: string): RoleBindingSpec => ({
    subject: who,
    roleRef: { kind: 'BuiltIn', name },
    scope: { folder },
  });
  const rowsOf = ({ model: next, places, more }: Written, before: Model): readonly AccessChange[] => {
    expect(next).not.to.equal(before);
    const reader = stateOf(before);
    const [place, other] = places(reader);
    return runSteps(accessChanges(place, other, optionsOn(reader, more)));
  };

  it('name a level that goes down as a change, and nobody who keeps theirs by another way', () => {
    const ben = { kind: 'User', name: 'ben' } as const;
    const before = { ...base, folders: { ...OPEN, c: OPEN.a }, bindings: { x: on('c', ben, 'Admin') } };
    const lowered = rowsOf(bound(before, { x: on('c', ben, 'View') }), before);
    expect(lowered).to.deep.equal([{ subject: ben, from: 'Admin', to: 'View' }]);
    const root = { kind: 'User', name: 'root' } as const;
    const administered = { ...before, bindings: { x: on('c', root, 'Admin') } };
    expect(rowsOf(bound(administered, { x: undefined }), administered), 'an administrator of the server').to.deep.equal(
      [],
    );
  });

  it('stand for the people of a team or a role, with their number', () => {
    const [red, anna] = [{ kind: 'Team', name: 'red' } as const, { kind: 'User', name: 'anna' } as const];
    const before: Model = {
      ...base,
      teams: [
        ['red', 0],
        ['red', 3],
      ],
      bindings: { x: on('b', anna, 'Edit') },
    };
    const people = (changed: number, of: number) => ({ people: { changed, of, hasAccounts: false, isMost: false } });
    expect(rowsOf(placed(before, 'a', true), before)).to.deep.equal([
      { subject: { kind: 'BasicRole', name: 'Viewer' }, from: 'View', to: '', ...people(1, 2) },
      { subject: { kind: 'BasicRole', name: 'Editor' }, from: 'Edit', to: '', ...people(1, 1) },
    ]);
    const c = { ...before, folders: { ...OPEN, c: OPEN.a } };
    expect(rowsOf(bound(c, { new: on('c', red, 'Edit') }), c), 'without the disabled one').to.deep.equal([
      { subject: red, from: 'View', to: 'Edit', ...people(1, 1) },
    ]);
    const blue = { kind: 'Team', name: 'blue' } as const;
    expect(rowsOf(bound(c, { new: on('c', blue, 'Edit') }), c), 'of nobody').to.deep.equal([
      { subject: blue, from: '', to: 'Edit', ...people(0, 0) },
    ]);
  });

  const many = (subject: RoleBindingSpec['subject'], folder: string) =>
    Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`a${i}`, on(folder, subject, 'Edit')]));

  it('find a binding of somebody who has thousands', () => {
    const anna = { kind: 'User', name: 'anna' } as const;
    const folders = { ...OPEN, c: { above: 'b', isPrivate: false } };
    const before = { ...base, folders, bindings: { ...many(anna, 'd'), z: on('b', anna, 'Admin') } };
    expect(rowsOf(bound(before, { new: on('c', anna, 'Edit') }), before), 'an administrator anyway').to.deep.equal([]);
  });

  /** The same reader, and how many entries were read by indexes. */
  const counted = (reader: Reader): { readonly reader: Reader; count(): number } => {
    let read = 0;
    const counting = new Proxy(reader, {
      get: (target, name) => {
        const member = Reflect.get(target, name);
        if (name !== 'entries') return typeof member === 'function' ? member.bind(target) : member;
        return (...args: Parameters<Reader['entries']>) => {
          const entries = target.entries(...args);
          read += entries.length;
          return entries;
        };
      },
    });
    return { reader: counting, count: () => read };
  };

  it('look only at whose binding is written', () => {
    const anna = { kind: 'User', name: 'anna' } as const;
    const c = { above: undefined, isPrivate: false };
    const before = { ...base, folders: { ...OPEN, c }, bindings: many({ kind: 'User', name: 'ben' }, 'c') };
    const { places, more } = bound(before, { new: on('c', anna, 'Edit') });
    const { reader, count } = counted(stateOf(before));
    const [place, next] = places(reader);
    expect(runSteps(accessChanges(place, next, optionsOn(reader, more)))).to.have.length(1);
    expect(count()).to.be.lessThan(20);
  });

  const c = { above: undefined, isPrivate: false };
  const viewers = { kind: 'BasicRole', name: 'Viewer' } as const;

  it('do not look at all teams of each person, because some belong to hundreds', () => {
    const teams = Array.from({ length: 200 }, (_, i) => [`t${i}`, 0] as const);
    const before = { ...base, folders: { ...OPEN, c }, teams };
    const { places, more } = bound(before, { new: on('c', viewers, 'Edit') });
    const { reader, count } = counted(stateOf(before));
    const [place, next] = places(reader);
    expect(runSteps(accessChanges(place, next, optionsOn(reader, more)))).to.have.length(1);
    expect(count()).to.be.lessThan(50);
  });

  it('say at most how many if too many teams might give them the same', () => {
    const names = Array.from({ length: 400 }, (_, i) => `t${i}`);
    const bindings = Object.fromEntries(names.map((name) => [name, on('c', { kind: 'Team', name }, 'View')]));
    const before = { ...base, folders: { ...OPEN, c }, bindings };
    const [row] = rowsOf(bound(before, { new: on('c', viewers, 'Edit') }), before);
    expect(row?.people?.isMost).to.equal(true);
  });

  it('pause after each person and each binding, because a write looks at many', () => {
    const before = { ...base, folders: { ...OPEN, c: OPEN.a } };
    const { places, more } = bound(before, { new: on('c', { kind: 'BasicRole', name: 'Viewer' }, 'Edit') });
    const reader = stateOf(before);
    const [place, next] = places(reader);
    const steps = accessChanges(place, next, optionsOn(reader, more));
    let pauses = 0;
    while (steps.next().done !== true) pauses++;
    expect(pauses).to.be.at.least(base.roles.filter((role) => role === 'Viewer').length);
  });
});
