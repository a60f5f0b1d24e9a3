import { expect } from 'chai';
import { openResourceApi, type RunningResourceApi } from '../../cmd/apiserver/resource-api.js';
import { type Election, startElection } from '../../registry/background/election.js';
import { Client } from '../../registry/client/client.js';
import { memoryStore, openMemory } from '../../storage/memory/backend.js';
import { eventually } from '../e2e/process.js';
import { ENVIRONMENT } from '../harness/server.js';

const PERIOD = 300;

describe('the election of a server of one store', () => {
  const store = memoryStore();
  const servers: RunningResourceApi[] = [];
  const failures: unknown[] = [];

  before(async () => {
    for (let i = 0; i < 3; i++) {
      const backend = openMemory(store, Date.now, true);
      const onError = (error: unknown): void => void failures.push(error);
      servers.push(
        await openResourceApi({ backend, environment: ENVIRONMENT, version: '0', history: 300_000, onError }),
      );
    }
  });

  after(() => Promise.all(servers.map((server) => server.close())));

  const candidate = (server: RunningResourceApi, name: string): Election => {
    const { registry } = server;
    return startElection(registry, registry.compiled.get('internal/ServerLease'), {
      name,
      period: PERIOD,
      onError: (error) => failures.push(error),
    });
  };
  const elected = (all: readonly Election[]): readonly Election[] => all.filter((one) => one.isElected());
  const someone = (all: readonly Election[]): Promise<Election> =>
    eventually(
      () => elected(all)[0],
      () => 'no server was elected',
    );

  it('elects one server and keeps it, and never two at the same time', async () => {
    const all = servers.map((server) => candidate(server, 'one'));
    const first = await someone(all);
    for (let i = 0; i < 16; i++) {
      expect(elected(all)).to.have.length.at.most(1);
      await new Promise((resolve) => setTimeout(resolve, PERIOD / 4));
    }
    // If this process was suspended for longer than a lease, no server is elected until the next renewal is committed.
    expect(await someone(all)).to.equal(first);
    expect(elected(all)).to.have.length.at.most(1);
    await Promise.all(all.map((one) => one.close()));
  });

  it('elects another server when the elected one releases the lease', async () => {
    const all = servers.map((server) => candidate(server, 'leaving'));
    const first = await someone(all);
    await first.close();
    expect(await someone(all)).not.to.equal(first);
    await Promise.all(all.map((one) => one.close()));
  });

  it('elects another server when the elected one stops without releasing the lease', async () => {
    const { registry } = servers[0]!;
    const user = { name: 'test', uid: '', groups: ['system:masters'], extra: {} };
    const leases = new Client(registry, { user }).objects(registry.compiled.get('internal/ServerLease'));
    await leases.create({ metadata: { name: 'gone' }, spec: { holder: 'gone', renewals: 7 } });
    const all = servers.map((server) => candidate(server, 'gone'));
    expect(elected(all)).to.deep.equal([]);
    await someone(all);
    await Promise.all(all.map((one) => one.close()));
    expect(failures).to.deep.equal([]);
  });
});
