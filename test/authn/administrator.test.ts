import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { directory } from '../../apis/authentication/directory.js';
import { passwordAccounts, setPassword } from '../../apis/authentication/passwords.js';
import { type IdentityServices, identityServices } from '../../apis/authentication/services.js';
import type { UserSpec } from '../../apis/iam/user/schema.js';
import { firstAdministrator, weakPassword } from '../../cmd/apiserver/administrator.js';
import { openResourceApi } from '../../cmd/apiserver/resource-api.js';
import { loadConfig } from '../../pkg/config/load.js';
import { verifyPassword } from '../../pkg/identity/authn/password.js';
import { PasswordQueue } from '../../pkg/identity/authn/password-queue.js';
import { type MemoryStore, memoryStore, openMemory } from '../../storage/memory/backend.js';
import { ENVIRONMENT } from '../harness/server.js';

const PUBLIC = '--server.https_addr=0.0.0.0';

type Work = (services: IdentityServices) => Promise<unknown>;

/**
 * Starts a server on the data. Returns what it tells the operator, the random password in it, and those of `tries` that
 * are right.
 */
async function start(log: MemoryStore, argv: readonly string[], tries: readonly string[] = [], work?: Work) {
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
  const [, printed] = /shown this once: (\S+)\n$/.exec(told ?? '') ?? [];
  const { hash = '' } = passwordAccounts(services, users)(settings.security.admin_user) ?? {};
  const right: string[] = [];
  for (const password of [...tries, ...(printed === undefined ? [] : [printed])]) {
    if (await verifyPassword(password, hash)) right.push(password);
  }
  await work?.(services);
  await api.close();
  await backend.close();
  return { told, printed, right };
}

describe('the first administrator', () => {
  it('has the password "admin" if only this machine can reach the server', async () => {
    const log = memoryStore();
    expect(await start(log, [], ['admin'])).to.deep.equal({
      told: 'The administrator is admin. The password is admin; adminctl reset-password makes a new one.\n',
      printed: undefined,
      right: ['admin'],
    });
    // The password may be another one by now.
    expect((await start(log, [])).told).to.equal(undefined);
  });

  it('has the password of the settings', async () => {
    const argv = [PUBLIC, '--security.admin_password=given'];
    expect(await start(memoryStore(), argv, ['admin', 'given'])).to.deep.equal({
      told: 'The administrator is admin. The password is that of the setting security.admin_password; adminctl reset-password makes a new one.\n',
      printed: undefined,
      right: ['given'],
    });
  });

  it('may have a weak password by the settings, and the operator is warned', async () => {
    const warning = (...argv: readonly string[]) =>
      weakPassword(loadConfig({ argv, env: {}, readFile: () => '' }).settings);
    expect(await warning('--security.admin_password=1234'))
      .to.contain('is a common password')
      .and.to.not.contain('1234');
    expect(await warning('--security.admin_password=x7')).to.contain('is too short');
    expect(await warning('--security.admin_password=open sesame')).to.equal(undefined);
    expect(await warning()).to.equal(undefined);
  });

  it('has a random password, printed once, if other machines can reach the server', async () => {
    const log = memoryStore();
    const first = await start(log, [PUBLIC], ['admin']);
    expect(first.told).to.match(/^The administrator is admin\. /);
    expect(first.printed).to.have.length(24);
    expect(first.right).to.deep.equal([first.printed]);
    const second = await start(log, [PUBLIC], [first.printed ?? '']);
    expect(second).to.deep.equal({ told: undefined, printed: undefined, right: [first.printed] });
  });

  it('gets a random password, printed once, when other machines can reach the server for the first time', async () => {
    const log = memoryStore();
    await start(log, []);
    const opened = await start(log, [PUBLIC], ['admin']);
    expect(opened.printed).to.have.length(24);
    expect(opened.right).to.deep.equal([opened.printed]);
    expect((await start(log, [PUBLIC])).printed).to.equal(undefined);
  });

  it('is found by uid, and not by a login that another user has taken', async () => {
    const log = memoryStore();
    const user = { login: 'admin', email: 'edd@example.com', name: '', disabled: false, grafanaAdmin: false };
    await start(log, [], [], async (services) => {
      const users = services.objects<UserSpec>('iam/users');
      await users.update('admin', (old) => ({ ...old, spec: { ...(old.spec as UserSpec), login: 'root' } }));
      await users.create({ metadata: { name: 'edd' }, spec: user });
      await setPassword(services, new PasswordQueue(), 'edd', 'admin', { user: SYSTEM_USER });
    });
    const { printed, right } = await start(log, [PUBLIC], ['admin']);
    expect(printed).to.have.length(24);
    expect(right, 'the passwords of the user with the login "admin"').to.deep.equal(['admin']);
  });

  it('keeps their password when the setting changes later', async () => {
    const log = memoryStore();
    await start(log, ['--security.admin_password=first']);
    const later = await start(log, [PUBLIC, '--security.admin_password=second'], ['first', 'second']);
    expect(later).to.deep.equal({ told: undefined, printed: undefined, right: ['first'] });
  });

  it('is created once by several servers that start at the same time, and one password is printed', async () => {
    const log = memoryStore();
    const started = await Promise.all([start(log, [PUBLIC]), start(log, [PUBLIC])]);
    const printed = started.map((one) => one.printed).filter((one) => one !== undefined);
    expect(printed).to.have.length(1);
    expect((await start(log, [PUBLIC], printed)).right).to.deep.equal(printed);
  });
});
