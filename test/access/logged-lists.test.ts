import { expect } from 'chai';
import type { UserInfo } from '../../pkg/identity/authn/user.js';
import type { Server } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { ADMINISTRATOR, addPeople, DASHBOARDS, EDITOR, FOLDER, PRIVATE, VIEWER } from './people.js';
import { annotate, dashboard, folder } from './private.js';

const RESOURCE = 'dashboards.dashboard.svc.app';
const EVERYWHERE = DASHBOARDS.replace('/namespaces/default', '');

/** Changes dashboards until only the log has what was before. The changes of folders stay in memory. */
async function outgrowMemory(server: Server): Promise<void> {
  for (let i = 0; i < 12; i++)
    await annotate(server, `${DASHBOARDS}/z-public`, { 'example.com/note': `${i}`.repeat(30_000) });
}

/** The names of the dashboards that a caller finds. */
async function found(server: Server, user: UserInfo, query: Readonly<Record<string, string>>, path = DASHBOARDS) {
  const answer = await server.call('GET', path, { user, query });
  expect(answer.status, answer.text).to.equal(200);
  const { items, metadata } = answer.json();
  return { names: items.map((one) => one.metadata.name), metadata };
}

eachStore(
  'a list at a revision that only the log has',
  (server) => {
    let exact: Readonly<Record<string, string>>;
    let tokens: ReadonlyMap<UserInfo, string>;

    before(async () => {
      await addPeople(server());
      await dashboard(server(), 'a-public');
      await dashboard(server(), 'deleted', PRIVATE);
      await dashboard(server(), 'opened', PRIVATE);
      await dashboard(server(), 'waiting', { [FOLDER]: 'later' });
      await dashboard(server(), 'z-public');
      const first = async (user: UserInfo): Promise<[UserInfo, string]> => {
        const { metadata } = await found(server(), user, { limit: '1' });
        exact = { resourceVersion: metadata.resourceVersion ?? '', resourceVersionMatch: 'Exact' };
        return [user, metadata.continue ?? ''];
      };
      tokens = new Map([await first(VIEWER), await first(EDITOR), await first(ADMINISTRATOR)]);
      await server().call('DELETE', `${DASHBOARDS}/deleted`);
      await annotate(server(), `${DASHBOARDS}/opened`, { 'svc.app/basic-roles': null });
      await folder(server(), 'later');
      await outgrowMemory(server());
    });

    afterEach(() => {
      const { past } = server().api.registry.cacher;
      expect(past.has(RESOURCE, Number(exact['resourceVersion'])), 'it came from the log').to.equal(false);
    });

    it('does not show what was private itself, or waited, to viewers and editors', async () => {
      for (const user of [VIEWER, EDITOR])
        for (const path of [DASHBOARDS, EVERYWHERE])
          expect((await found(server(), user, exact, path)).names).to.deep.equal(['a-public', 'z-public']);
    });

    it('does not show it on a later page either', async () => {
      for (const user of [VIEWER, EDITOR]) {
        const { names } = await found(server(), user, { continue: tokens.get(user) ?? '' });
        expect(names).to.deep.equal(['z-public']);
      }
    });

    it('shows all to an administrator', async () => {
      const all = ['deleted', 'opened', 'waiting', 'z-public'];
      expect((await found(server(), ADMINISTRATOR, exact)).names).to.deep.equal(['a-public', ...all]);
      const query = { continue: tokens.get(ADMINISTRATOR) ?? '' };
      expect((await found(server(), ADMINISTRATOR, query)).names).to.deep.equal(all);
    });
  },
  { recentBytes: 256 * 1024 },
);
