import { expect } from 'chai';
import { directory } from '../../apis/authentication/directory.js';
import { passwordAccounts } from '../../apis/authentication/passwords.js';
import { identityServices } from '../../apis/authentication/services.js';
import { firstAdministrator } from '../../cmd/apiserver/administrator.js';
import { openResourceApi } from '../../cmd/apiserver/resource-api.js';
import { verifyPassword } from '../../pkg/authn/password.js';
import { loadConfig } from '../../pkg/config/load.js';
import { type MemoryStore, memoryStore, openMemory } from '../../storage/memory/backend.js';
import { ENVIRONMENT } from '../harness/server.js';

const PUBLIC = '--server.https_addr=0.0.0.0';

/** Starts on the data that is there; tells the password that people are told, and which of those given lets the administrator in. */
async function start(log: MemoryStore, argv: readonly string[], tries: readonly string[] = []) {
  const { settings } = loadConfig({ argv, env: {}, readFile: () => '' });
  const backend = openMemory(log, Date.now, true);
  const first = firstAdministrator(settings);
  const api = await openResourceApi({
    backend,
    environment: ENVIRONMENT,
    version: '0.0.0-test',
    history: 300_000,
    administrator: first.make,
    onError: (error) => {
      throw error;
    },
  });
  const services = identityServices(api.registry, 'svc.app');
  const users = directory(services);
  const told = await first.secure(services, users);
  const { hash = '' } = passwordAccounts(services, users)(settings.security.admin_user) ?? {};
  const right: string[] = [];
  for (const password of [...tries, ...(told === undefined ? [] : [told])]) {
    if (await verifyPassword(password, hash)) right.push(password);
  }
  await api.close();
  await backend.close();
  return { told, right };
}

describe('the first administrator', () => {
  it('has the password "admin" while only this machine can reach the server', async () => {
    expect(await start(memoryStore(), [], ['admin'])).to.deep.equal({ told: undefined, right: ['admin'] });
  });

  it('has the password given', async () => {
    const argv = [PUBLIC, '--security.admin_password=given'];
    expect(await start(memoryStore(), argv, ['admin', 'given'])).to.deep.equal({ told: undefined, right: ['given'] });
  });

  it('has a random one where others can reach the server, told once', async () => {
    const log = memoryStore();
    const first = await start(log, [PUBLIC], ['admin']);
    expect(first.told).to.have.length(24);
    expect(first.right).to.deep.equal([first.told]);
    const second = await start(log, [PUBLIC], [first.told ?? '']);
    expect(second).to.deep.equal({ told: undefined, right: [first.told] });
  });

  it('gets a random one, told once, when others can reach a server that nobody else could', async () => {
    const log = memoryStore();
    await start(log, []);
    const opened = await start(log, [PUBLIC], ['admin']);
    expect(opened.told).to.have.length(24);
    expect(opened.right).to.deep.equal([opened.told]);
    expect((await start(log, [PUBLIC])).told).to.equal(undefined);
  });

  it('keeps the password they have, whatever the settings say later', async () => {
    const log = memoryStore();
    await start(log, ['--security.admin_password=first']);
    const later = await start(log, [PUBLIC, '--security.admin_password=second'], ['first', 'second']);
    expect(later).to.deep.equal({ told: undefined, right: ['first'] });
  });

  it('of several servers that start at once is one, with the one password that is told', async () => {
    const log = memoryStore();
    const started = await Promise.all([start(log, [PUBLIC]), start(log, [PUBLIC])]);
    const told = started.map((one) => one.told).filter((one) => one !== undefined);
    expect(told).to.have.length(1);
    expect((await start(log, [PUBLIC], told)).right).to.deep.equal(told);
  });
});
