import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import fc from 'fast-check';
import { grantsOf, type Permission } from '../../pkg/identity/authz/grants.js';
import { createAuthorizer } from '../../registry/authorization/permission-authorizer.js';
import { rememberedBytes } from '../../registry/authorization/verdicts.js';
import { Reader } from '../../registry/read/reader.js';
import type { Entry } from '../../storage/state/entry.js';
import { State } from '../../storage/state/state.js';
import { collectGarbage } from '../harness/garbage.js';
import { person } from './people.js';
import { compiled, entry, expected, kinds, NAMES, type Placed, permission, placed, tree } from './places.js';

/** The same entries as they are in a file, as a group. `onRead` is told of each one whose attributes are read. */
function grouped(entries: readonly Entry[], onRead: (entry: Entry) => void = () => undefined): readonly Entry[] {
  return entries.map((one, number) =>
    Object.create(one, {
      group: { value: entries },
      number: { value: number },
      attributes: {
        get: () => {
          onRead(one);
          return one.attributes;
        },
      },
    }),
  );
}

interface World {
  readonly reader: Reader;
  readonly all: ReadonlyMap<string, Placed>;
  readonly folders: readonly Entry[];
}

const folder = compiled.get('folder/Folder');
const dashboard = compiled.get('dashboard/Dashboard');

function worldOf(folders: readonly Placed[], boards: readonly Placed[], revision = 1): World {
  const all = new Map(folders.map((one, i) => [NAMES[i] ?? '', one]));
  for (const [i, one] of boards.entries()) all.set(`dashboard ${NAMES[i]}`, one);
  const draft = new State(0).draft();
  for (const name of NAMES) draft.put(folder.qualified, entry(folder, name, all.get(name) as Placed));
  const reader = new Reader(draft.finish(revision, new Map()));
  const stored = NAMES.map((name) => reader.entry(folder.qualified, 'default', name) as Entry);
  return { reader, all, folders: grouped(stored) };
}

/** An authorizer of callers with these permissions. */
function authorizerOf(callers: Readonly<Record<string, readonly Permission[]>>) {
  const grants = new Map(Object.entries(callers).map(([name, permissions]) => [name, grantsOf(permissions)]));
  const resolve = ({ uid }: { readonly uid: string }) => {
    const own = grants.get(uid) ?? grantsOf([]);
    return { grants: () => own, isMember: () => true, isCurrent: () => true };
  };
  return createAuthorizer(kinds, { resolve });
}

describe('lists that follow each other', () => {
  const permissions = fc.array(permission('folders:read'), { maxLength: 3 });
  const onDashboards = fc.array(permission('dashboards:read'), { maxLength: 3 });
  const boards = fc.tuple(...NAMES.map(() => placed(NAMES)));
  const turns = fc.array(fc.tuple(fc.constantFrom('ann', 'bob', 'cid'), fc.nat({ max: 1 })), { maxLength: 12 });

  for (const [kind, own, given] of [
    [folder, 'folders', permissions],
    [dashboard, 'dashboards', onDashboards],
  ] as const) {
    it(`have the ${own} that each caller may view then, whoever listed them before, and whatever was moved since`, () => {
      const property = fc.property(
        tree,
        tree,
        boards,
        given,
        given,
        turns,
        (before, after, placedBoards, a, b, asked) => {
          const worlds = [worldOf(before, placedBoards), worldOf(after, placedBoards)];
          const stored = grouped(placedBoards.map((one, i) => entry(dashboard, NAMES[i] ?? '', one)));
          // The third caller has what the second has, as somebody else.
          const callers: Record<string, readonly Permission[]> = { ann: a, bob: b, cid: b };
          const authorizer = authorizerOf(callers);
          for (const [name, moment] of asked) {
            const { reader, all, folders } = worlds[moment] as World;
            const attributes = { user: person(name), kind, namespace: 'default', verb: 'list' };
            const filter = authorizer.readFilter(attributes, reader);
            const seen = (own === 'folders' ? folders : stored).map((one) => filter.allows(one));
            const wanted = NAMES.map((one) => expected(callers[name] ?? [], one, own, all));
            expect(seen, `${name} at ${moment}`).to.deep.equal(wanted);
          }
        },
      );
      fc.assert(property, { numRuns: 1000 });
    });
  }

  it('decide about an object of a file once, for all callers who have only a basic role, until a folder is moved', () => {
    const read: string[] = [];
    const { reader } = worldOf([placedIn(undefined), placedIn('a'), placedIn('b'), placedIn(undefined, true)], []);
    const draft = (reader.published as State).draft();
    const titled = (place: Placed): Reader => {
      draft.put(folder.qualified, entry(folder, 'c', place, 'Another title'));
      return new Reader(draft.finish(2, new Map()));
    };
    const stored = grouped([entry(dashboard, 'x', placedIn('c')), entry(dashboard, 'y', placedIn('d'))], ({ key }) => {
      read.push(key);
    });
    const basic: Permission = { action: 'dashboards:read', scope: 'dashboards:*', isBasic: true };
    const authorizer = authorizerOf({ ann: [basic], bob: [basic] });
    const list = (name: string, at: Reader): readonly boolean[] => {
      const attributes = { user: person(name), kind: dashboard, namespace: 'default', verb: 'list' };
      const filter = authorizer.readFilter(attributes, at);
      return stored.map((one) => filter.allows(one));
    };
    expect(list('ann', reader)).to.deep.equal([true, false]);
    expect(read).not.to.deep.equal([]);
    read.length = 0;
    expect(list('bob', reader)).to.deep.equal([true, false]);
    expect(list('bob', titled(placedIn('b')))).to.deep.equal([true, false]);
    expect(read).to.deep.equal([]);
    expect(list('bob', titled(placedIn('d')))).to.deep.equal([false, false]);
  });

  it('lose nothing to a list of an earlier state', () => {
    const read: string[] = [];
    const stored = grouped([entry(dashboard, 'x', placedIn('c'))], ({ key }) => read.push(key));
    const basic: Permission = { action: 'dashboards:read', scope: 'dashboards:*', isBasic: true };
    const authorizer = authorizerOf({ ann: [basic] });
    const now = worldOf([placedIn(undefined), placedIn('a'), placedIn('b'), placedIn(undefined, true)], [], 2);
    const before = worldOf([placedIn(undefined), placedIn('a'), placedIn('d'), placedIn(undefined, true)], []);
    const list = ({ reader }: World): readonly boolean[] => {
      const attributes = { user: person('ann'), kind: dashboard, namespace: 'default', verb: 'list' };
      const filter = authorizer.readFilter(attributes, now.reader, reader);
      return stored.map((one) => filter.allows(one));
    };
    expect([list(now), list(before)]).to.deep.equal([[true], [false]]);
    read.length = 0;
    expect(list(now)).to.deep.equal([true]);
    expect(read).to.deep.equal([]);
  });

  it('decide about an object once also after the database was set back', () => {
    const read: string[] = [];
    const stored = grouped([entry(dashboard, 'x', placedIn('c'))], ({ key }) => read.push(key));
    const authorizer = authorizerOf({ ann: [{ action: 'dashboards:read', scope: 'dashboards:*', isBasic: true }] });
    const attributes = { user: person('ann'), kind: dashboard, namespace: 'default', verb: 'list' };
    /** What the second of two lists reads. */
    const readAgain = (revision: number, logId: number, parent: string): number => {
      const { reader } = worldOf([placedIn(undefined), placedIn('a'), placedIn(parent), placedIn('a')], [], revision);
      const resource = (name: string) => (reader.published as State).resource(name);
      const list = (): void => {
        const filter = authorizer.readFilter(attributes, new Reader({ revision, resource, moment: {}, logId }));
        for (const one of stored) filter.allows(one);
      };
      list();
      read.length = 0;
      list();
      return read.length;
    };
    expect([readAgain(9, 0, 'b'), readAgain(5, 1, 'a')]).to.deep.equal([0, 0]);
  });

  it('are counted with all that they take', () => {
    const many = Array.from({ length: 20_000 }, (_, number) => number);
    const { reader, folders } = worldOf(
      NAMES.map(() => ({ parent: undefined, isPrivate: false })),
      NAMES.map(() => ({ parent: undefined, isPrivate: false })),
    );
    const [one] = folders as [Entry];
    const group = {};
    const far = many.map(
      (number) => Object.create(one, { group: { value: group }, number: { value: number } }) as Entry,
    );
    const authorizer = authorizerOf({ ann: [{ action: 'folders:read', scope: `folders:uid:${NAMES[0]}` }] });
    const attributes = { user: person('ann'), verb: 'list', kind: folder, namespace: 'default' };
    const before = rememberedBytes();
    const filter = authorizer.readFilter(attributes, reader);
    for (const entry of far) filter.allows(entry);
    expect(rememberedBytes() - before).to.be.within(20_000, 30_000);
  });

  it('count nothing for files that are gone', async () => {
    const { reader, folders } = worldOf(
      NAMES.map(() => placedIn(undefined)),
      NAMES.map(() => placedIn(undefined)),
    );
    const [one] = folders as [Entry];
    const authorizer = authorizerOf({ ann: [{ action: 'folders:read', scope: `folders:uid:${NAMES[1]}` }] });
    const attributes = { user: person('ann'), verb: 'list', kind: folder, namespace: 'default' };
    const before = rememberedBytes();
    for (let merges = 0; merges < 20; merges++) {
      const inFile = Object.create(one, { group: { value: {} }, number: { value: 0 } }) as Entry;
      authorizer.readFilter(attributes, reader).allows(inFile);
      // What a turn of the event loop has used is not collected before its end.
      await nextTurn();
      collectGarbage();
    }
    expect(rememberedBytes() - before).to.be.within(4096, 3 * 4096);
  });
});

function placedIn(parent: string | undefined, isPrivate = false): Placed {
  return { parent, isPrivate };
}
