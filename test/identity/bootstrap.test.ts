import { expect } from 'chai';
import { bootstrap } from '../../apis/authentication/bootstrap.js';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import { bodyOf } from '../harness/resource.js';
import { openServer, type Server } from '../harness/server.js';
import { eachStore } from '../harness/stores.js';
import { countOf, iam } from './iam.js';

eachStore('the first start', (server) => {
  const { get, names, remove } = iam(server);
  const administrator = async () => ({ login: 'root', email: 'root@localhost', hash: '$scrypt$' });
  const start = () => bootstrap(server().api.registry, administrator);

  it('creates one administrator, membership and password in one commit, even if several start at the same time', async () => {
    const before = await server().end();
    await Promise.all(Array.from({ length: 8 }, start));
    expect(await server().end()).to.equal(before + 3);
    const user = bodyOf(await get('User', 'admin'), 200);
    expect(user.metadata.labels).to.deep.equal({ 'svc.app/deprecatedInternalID': '1' });
    expect(user.spec).to.include({ login: 'root', email: 'root@localhost', grafanaAdmin: true, disabled: false });
    expect(bodyOf(await get('OrganizationBinding', 'admin'), 200).spec).to.include({ role: 'Admin' });
    expect(await countOf(server(), 'credentials.internal.svc.app', '')).to.equal(1);
  });

  it('writes nothing and hashes no password if there is an administrator already', async () => {
    const before = await server().end();
    await bootstrap(server().api.registry, () => Promise.reject(new Error('a password was requested')));
    expect(await server().end()).to.equal(before);
    expect(await names('Organization')).to.deep.equal(['default']);
  });

  it('serves no internal kind through the resource API', async () => {
    for (const resource of ['credentials', 'tokens', 'sessions', 'lastseens', 'signingkeys']) {
      const answer = await server().call('GET', `/apis/internal.svc.app/v1beta1/${resource}`);
      expect(answer.status, resource).to.equal(404);
    }
    expect(bodyOf(await server().call('GET', '/apis'), 200)).to.not.satisfy((all: unknown) =>
      JSON.stringify(all).includes('internal.svc.app'),
    );
    expect((await remove('User', 'admin')).status, 'the last administrator').to.equal(403);
  });
});

describe('the first start of several servers on one store', () => {
  const store = memoryStore();
  let servers: readonly Server[] = [];

  before(async () => {
    servers = await Promise.all(Array.from({ length: 4 }, () => openServer(openMemory(store, Date.now, true))));
  });
  after(() => Promise.all(servers.map((server) => server.close())));

  it('creates one of each object', async () => {
    const starts = servers.map(({ api }, index) =>
      bootstrap(api.registry, async () => ({ login: `root-${index}`, email: `root-${index}@localhost`, hash: 'x' })),
    );
    await Promise.all(starts);
    for (const server of servers) {
      const { names } = iam(() => server);
      expect(await names('Organization')).to.deep.equal(['default']);
      expect(await names('User')).to.deep.equal(['admin']);
      expect(await names('OrganizationBinding')).to.deep.equal(['admin']);
      expect(await countOf(server, 'credentials.internal.svc.app', '')).to.equal(1);
    }
  });
});
