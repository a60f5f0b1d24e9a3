import { expect } from 'chai';
import { SYSTEM_USER } from '../../apis/authentication/bootstrap.js';
import { signOnProviders } from '../../apis/iam/ssosetting/providers.js';
import { type ConfigError, loadConfig } from '../../pkg/config/load.js';
import { Client } from '../../registry/client/client.js';
import { openMemory } from '../../storage/memory/backend.js';
import { environmentOf } from './environment.js';
import { openResourceApi, type RunningResourceApi } from './resource-api.js';

const FILES: Readonly<Record<string, string>> = {
  'settings.ini': `[auth.github]
client_id = of-the-file
client_secret = of-the-file
name = of-the-file
scopes = of-the-file
[auth.saml]
certificate = of-the-file
private_key = of-the-file
idp_metadata_url = https://file.example.com
entity_id = of-the-file
[auth.generic_oauth]
auth_url = https://file.example.com/auth
token_url = https://file.example.com/token
`,
  secret: 'of-a-secret-file\n',
};

const load = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  loadConfig({ argv: ['--config=settings.ini', ...argv], env, readFile: (path) => FILES[path] ?? '' }).settings;

describe('the sources of sign-on settings', () => {
  const environment = environmentOf(
    load(
      [
        '--security.secret_key=the key of the tests',
        '--auth.github.scopes=of-the-arguments',
        '--auth.github.enabled=yes',
      ],
      {
        APISERVER_AUTH_GITHUB_SCOPES: 'of-the-environment',
        APISERVER_AUTH_GITHUB_NAME: 'of-the-environment',
        APISERVER_AUTH_GITHUB_CLIENT_SECRET__FILE: 'secret',
      },
    ),
  );
  let api: RunningResourceApi;
  const set = (name: string, settings: object) =>
    new Client(api.registry, { user: SYSTEM_USER }).transact((transaction) =>
      transaction.objects(api.registry.compiled.get('iam/SSOSetting')).put(name, () => ({ settings })),
    );
  const providers = () => signOnProviders(api.registry.reader, environment);

  before(async () => {
    const onError = (error: unknown): never => {
      throw error;
    };
    api = await openResourceApi({ backend: openMemory(), environment, version: '0', history: 300_000, onError });
  });
  after(() => api.close());

  // Promise: specification 1, specification 4.10
  it('are for each key the arguments, the environment, the settings file, and the defaults', () => {
    expect(providers().get('github')?.values).to.include({
      scopes: 'of-the-arguments',
      enabled: true,
      name: 'of-the-environment',
      clientSecret: 'of-a-secret-file',
      clientId: 'of-the-file',
      apiUrl: 'https://api.github.com/user',
      emailAttributePath: '',
    });
  });

  // Promise: specification 1, specification 4.10
  it('begin with the database', async () => {
    await set('github', { clientId: 'of-the-database', scopes: '', enabled: false });
    const stored = providers().get('github');
    expect(stored).to.include({ source: 'database' });
    expect(stored?.values).to.include({
      clientId: 'of-the-database',
      scopes: '',
      enabled: false,
      name: 'of-the-environment',
      clientSecret: 'of-a-secret-file',
    });
  });

  it('do not count for an address that is stored as empty', async () => {
    await set('generic_oauth', { clientId: 'a', authUrl: '', apiUrl: 'https://stored.example.com' });
    expect(providers().get('generic_oauth')?.values).to.include({
      authUrl: 'https://file.example.com/auth',
      tokenUrl: 'https://file.example.com/token',
      apiUrl: 'https://stored.example.com',
    });
  });

  it('do not mix certificates, private keys and metadata with those of the settings', async () => {
    await set('saml', { idpMetadataUrl: 'https://stored.example.com' });
    const { values } = providers().get('saml') ?? {};
    const stored = { idpMetadataUrl: 'https://stored.example.com', certificate: '', privateKey: '' };
    expect(values).to.include({ ...stored, entityId: 'of-the-file' });
  });

  it('enable a provider, and name those that are enabled in their order', async () => {
    await set('okta-west', { clientId: 'a', enabled: true, ...ADDRESSES });
    await set('google', { clientId: 'a', enabled: true });
    await set('github', { clientId: 'a' });
    expect(
      providers()
        .enabled()
        .map(({ provider }) => provider),
    ).to.deep.equal(['github', 'google', 'okta-west']);
    expect(providers().get('okta-west')).to.include({ type: 'okta', source: 'database' });
    expect([providers().get('okta-east'), providers().get('nothing')]).to.deep.equal([undefined, undefined]);
  });

  // Promise: specification 3, specification 8
  it('are resolved again only when something that is stored has changed', async () => {
    const resolved = providers();
    const before = resolved.get('github');
    expect(resolved.get('github')).to.equal(before);
    await set('google', { clientId: 'b' });
    expect(resolved.get('google')?.values.clientId).to.equal('b');
  });
});

describe('the settings of sign-on providers', () => {
  const problem = (argument: string): string => {
    try {
      load([argument]);
      return '';
    } catch (error) {
      return (error as ConfigError).problems[0] ?? '';
    }
  };

  it('are refused at the start, if they are wrong or unknown', () => {
    expect(problem('--auth.github.enabled=perhaps')).to.equal('--auth.github.enabled: expected true or false.');
    expect(problem('--auth.okta.auth_url=javascript:x')).to.equal('--auth.okta.auth_url: Auth URL is an invalid URL.');
    expect(problem('--auth.okta.auth_url=http://okta.example.com'))
      .to.contain('auth.okta.auth_url')
      .and.contain('https');
    expect(problem('--auth.okta.login_prompt=x')).to.contain('login, consent, select_account');
    expect(problem('--auth.github.entity_id=x')).to.contain('Unknown setting --auth.github.entity_id');
    expect(problem('--auth.github.clientId=x')).to.contain('did you mean auth.github.client_id?');
    expect(problem(`--auth.github.client_secret=${'hidden'.repeat(2000)}`)).to.not.contain('hidden');
  });
});

const ADDRESSES = {
  authUrl: 'https://okta.example.com/a',
  tokenUrl: 'https://okta.example.com/t',
  apiUrl: 'https://okta.example.com/u',
};
