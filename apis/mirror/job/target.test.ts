import { expect } from 'chai';
import type { LegacyClient, Method, Query } from '../../../pkg/legacyclient/client.js';
import { LegacyFailure } from '../../../pkg/legacyclient/failure.js';
import { USUAL } from './access.js';
import { drifts } from './check.js';
import { Memory } from './memory.js';
import { keyOf } from './resources.js';
import { Target } from './target.js';

type Answer = (method: Method, path: string, more: { readonly body?: unknown; readonly query?: Query }) => unknown;

/** A client whose server answers what a function returns. A number is the status of a failure. */
function clientOf(answer: Answer): LegacyClient {
  const asked = (method: Method, path: string, more: Parameters<Answer>[2]): unknown => {
    const body = answer(method, path, more);
    if (typeof body === 'number') throw new LegacyFailure({ method, path }, body, 'refused');
    return body;
  };
  return {
    send: async (method, path, request = {}) => ({ status: 200, body: asked(method, path, request) }),
    get: async (path, schema, query) => schema.parse(asked('GET', path, query === undefined ? {} : { query })),
    inOrganization: () => clientOf(answer),
    close: () => undefined,
  };
}

describe('the server of a mirror', () => {
  it('is asked for its users again when it refuses a list with one who is deleted there', async () => {
    const lists: unknown[] = [];
    let isDeleted = false;
    const target = new Target(
      clientOf((_, path, { body }) => {
        if (path === '/api/teams/search') return { teams: [] };
        const users = [{ userId: 1, login: 'xenia' }, ...(isDeleted ? [] : [{ userId: 2, login: 'yann' }])];
        if (path === '/api/org/users') return users;
        lists.push(body);
        return isDeleted && JSON.stringify(body).includes('"userId":2') ? 400 : {};
      }),
    );
    const both = new Map([
      ['user:xenia', 2],
      ['user:yann', 1],
    ]);
    await target.setPermissions('folders', 'f', both);
    isDeleted = true;
    const known = await target.setPermissions('folders', 'f', new Map([...both, ['user:xenia', 1]]));
    expect([...known]).to.deep.equal([['user:xenia', 1]]);
    expect(lists.at(-1)).to.deep.equal({ items: [{ userId: 1, permission: 1 }] });
  });

  it('is not believed when it gives the same page of a search again and again', async () => {
    const target = new Target(clientOf(() => [{ uid: 'f', type: 'dash-folder', title: 'F' }]));
    const read = async (): Promise<void> => {
      for await (const _ of target.found());
    };
    const error = await read().catch(String);
    expect(error).to.include('the same page');
  });

  it('is not read without end when each page of a list has others', async () => {
    let count = 0;
    const names = (make: (name: string) => object): object[] => Array.from({ length: 1000 }, () => make(`n${count++}`));
    const target = new Target(
      clientOf((_, path) => {
        if (path === '/api/search') return names((uid) => ({ uid, type: 'dash-folder', title: uid }));
        if (path === '/api/teams/search') return { teams: names((name) => ({ name, id: count })) };
        return { result: { elements: names((uid) => ({ uid, name: uid, kind: 1, model: {}, version: 1 })) } };
      }),
    );
    const all = async (list: AsyncGenerator): Promise<void> => {
      for await (const _ of list);
    };
    for (const read of [() => all(target.found()), () => all(target.elements()), () => target.subjects.teamNames()])
      expect(await read().catch(String)).to.include('more than 200000 items');
  });

  it('is sent nothing when another server keeps the mirror', async () => {
    let isElected = true;
    const sent: string[] = [];
    const target = new Target(
      clientOf((method) => {
        sent.push(method);
        return { uid: 'f', title: 'F' };
      }),
      { mayWrite: () => isElected },
    );
    await target.createFolder('f', 'F', '');
    isElected = false;
    for (const write of [() => target.createFolder('g', 'G', ''), () => target.deleteFolder('f')])
      expect(await write().catch(String)).to.include('another server keeps the mirror');
    expect(sent).to.deep.equal(['POST']);
  });

  it('is found to give more at the root than a new object has, apart from its creator', async () => {
    const memory = new Memory();
    memory.set(keyOf('dashboard', 'd'), { folder: '', hash: 'h', version: 1 });
    let viewer = 1;
    const target = new Target(
      clientOf((_, path) =>
        path.endsWith('/permissions')
          ? [
              ...[...USUAL].map(([role, permission]) => ({ role: role.slice('role:'.length), permission })),
              { role: 'Viewer', permission: viewer },
              { userLogin: 'creator', permission: 4 },
            ]
          : { dashboard: {}, meta: { version: 1 } },
      ),
    );
    const found = async (): Promise<readonly string[]> => {
      const all: string[] = [];
      for await (const { what } of drifts(target, memory)) all.push(what);
      return all;
    };
    expect(await found()).to.deep.equal([]);
    viewer = 4;
    expect(await found()).to.deep.equal(['its permissions']);
  });
});

describe('what a mirror remembers', () => {
  it('is not believed where something was begun and not confirmed', () => {
    const memory = new Memory();
    const [old, fresh] = [keyOf('folder', 'old'), keyOf('dashboard', 'fresh')];
    memory.set(old, { folder: '', hash: 'h' });
    memory.takeChanged();
    memory.begin(old);
    memory.begin(fresh, 'old');
    const after = new Memory();
    after.load({ [old]: { folder: '', hash: 'h' } });
    after.loadBegun(memory.begun);
    expect(after.get(old)?.isUnknown).to.equal(true);
    expect([after.mayHaveMade(fresh), after.mayHold('old')]).to.deep.equal([true, true]);
    after.set(fresh, { folder: 'old', hash: 'h' });
    expect([after.mayHaveMade(fresh), after.mayHold('old')]).to.deep.equal([false, false]);
  });
});
