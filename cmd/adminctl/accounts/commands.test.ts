import { expect } from 'chai';
import { loadConfig } from '../../../pkg/config/load.js';
import { type AccountsCommand, lastSyncOf, textOf } from './commands.js';
import type { Api } from './server.js';

const settings = loadConfig({ argv: [], env: {}, readFile: () => '' }).settings;

const CREATED = '2026-01-01T00:00:00Z';
const TIMES = { created: CREATED, lastUsedAt: null, expiration: '2026-01-02T00:00:00Z', hasExpired: true };

/**
 * A server with so many service accounts that they need three pages of the size that is asked for. The last account has
 * a token.
 */
function serverOfThreePages(name = 'deploys'): { readonly api: Api; readonly removed: readonly string[] } {
  const removed: string[] = [];
  const call = async (method: string, path: string): Promise<unknown> => {
    if (method === 'DELETE') return removed.push(path);
    const { pathname, searchParams } = new URL(path, 'http://server');
    if (pathname.endsWith('/tokens')) return pathname.includes('/7777/') ? [{ id: 5, name, ...TIMES }] : [];
    const [page, size] = ['page', 'perpage'].map((name) => Number(searchParams.get(name) ?? '1')) as [number, number];
    const last = { id: 7777, login: 'sa-last', name: 'Robot of CI' };
    const full = Array.from({ length: size }, (_, i) => ({ id: page * size + i + 10_000, login: `sa-${page}-${i}` }));
    return { serviceAccounts: page < 3 ? full : [last] };
  };
  return { api: { through: 'a fake', call }, removed };
}

describe('the list of users', () => {
  it('tells who keeps an account: SCIM, a provider, or people', async () => {
    const users = [
      { id: 1, login: 'ada', isProvisioned: true, authLabels: ['Okta'] },
      { id: 2, login: 'bob', authLabels: ['SAML'] },
      { id: 3, login: 'eve', authLabels: null },
    ];
    const call = async (_method: string, path: string): Promise<unknown> => (path.endsWith('page=1') ? users : []);
    const command: AccountsCommand = { settings, what: 'users', verb: 'list', login: undefined, id: undefined };
    const [titles, ...rows] = (await textOf({ through: 'a fake', call }, command)).split('\n');
    const from = titles?.indexOf('FROM') ?? 0;
    expect(rows.map((row) => row.slice(from).split(/ {2,}/)[0]?.trim())).to.deep.equal([
      'SCIM, Okta',
      'SAML',
      'by hand',
    ]);
  });
});

describe('the line about the last synchronization with a directory', () => {
  const lineOf = (lastSync?: object) =>
    lastSyncOf({ through: 'a fake', call: async () => ({ provider: 'ldap', ...(lastSync && { lastSync }) }) });
  const at = '2026-01-01T00:00:00Z';

  it('is left out if there was none', async () => {
    expect(await lineOf()).to.equal('');
  });

  it('has the time and the numbers, and why it is not complete', async () => {
    const whole = { at, people: 412, disabled: 2, enabled: 0, kept: 0, problems: [] };
    expect(await lineOf(whole)).to.equal(
      `Last synchronization with LDAP: ${at}, 412 people, 2 disabled, 0 enabled again\n`,
    );
    const partial = {
      at,
      people: 1,
      disabled: 0,
      enabled: 1,
      kept: 3,
      failed: 1,
      problems: ['a: nobody answers', 'b: it is full'],
    };
    expect(await lineOf(partial)).to.equal(
      `Last synchronization with LDAP: ${at}, 1 person, 0 disabled, 1 enabled again, 3 missing but not disabled, 1 failed. It is not complete: a: nobody answers; b: it is full\n`,
    );
  });
});

describe('the commands about tokens', () => {
  const command = (verb: string, login?: string, id?: string): AccountsCommand => ({
    settings,
    what: 'tokens',
    verb,
    login,
    id,
  });

  it('list the tokens of service accounts on all pages', async () => {
    expect(await textOf(serverOfThreePages().api, command('list'))).to.match(/^5 +sa-last +Robot of CI +deploys/m);
  });

  it('show the title of the owner and the times, because kubectl gives tokens names that say nothing', async () => {
    const [titles, token] = (await textOf(serverOfThreePages('request-01m8').api, command('list'))).split('\n');
    const cells = (line = '') => line.split(/ {2,}/);
    expect(cells(titles)).to.deep.equal(['ID', 'ACCOUNT', 'OWNER', 'TOKEN', 'STATE', 'CREATED', 'USED', 'EXPIRES']);
    expect(cells(token)).to.deep.equal([
      ...['5', 'sa-last', 'Robot of CI', 'request-01m8', 'expired'],
      ...[CREATED, 'never', '2026-01-02T00:00:00Z'],
    ]);
  });

  // Promise: security tools
  it('print no characters of a name that a terminal obeys', async () => {
    const { api } = serverOfThreePages('dep\u202eloys\u001b[2J');
    expect(await textOf(api, command('list'))).to.match(/^5 +sa-last +Robot of CI +dep\\u202eloys\\u001b\[2J/m);
  });

  it('revoke a token of a service account on the last page', async () => {
    const { api, removed } = serverOfThreePages();
    expect(await textOf(api, command('revoke', 'sa-last', '5'))).to.equal('The token 5 of sa-last is revoked.');
    expect(removed).to.deep.equal(['/api/serviceaccounts/7777/tokens/5']);
  });
});
