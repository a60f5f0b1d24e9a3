import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { makeKey, signed } from '../authn/issuer.js';
import { Browser } from './browser.js';
import { ACCESS, type FakeAnswer, failedWith, oneFakeWorld } from './fake-provider.js';
import { callerOf, oneWorld } from './world.js';

const ROLE = "contains(groups, '@corp/ops') && 'Admin' || 'Viewer'";
const ACCOUNT = { id: 7, login: 'octo', name: 'Octo Cat', email: 'public@evil.example' };
const EMAILS = [
  { email: 'other@corp.example', verified: true, primary: false },
  { email: 'octo@corp.example', verified: true, primary: true },
  { email: 'boss@corp.example', verified: false, primary: false },
];
const TEAMS = [{ id: 11, slug: 'ops', organization: { login: 'corp' } }];

oneFakeWorld(
  'GitHub',
  {
    github: {
      scopes: 'user:email read:org',
      allowed_organizations: 'Corp',
      team_ids: '11',
      role_attribute_path: ROLE,
      allowed_domains: 'corp.example',
    },
  },
  (world) => {
    const github = (more: Readonly<Record<string, FakeAnswer>> = {}) =>
      world().signIn('github', () => ({
        '/token': ACCESS,
        '/me': ACCOUNT,
        '/me/emails': EMAILS,
        '/me/teams': TEAMS,
        '/me/orgs': [{ login: 'corp' }],
        ...more,
      }));

    it('tells account, verified address, teams and organizations at addresses of their own', async () => {
      const { browser, page } = await github();
      expect(page.location).to.equal(`${world().url}/`);
      const caller = await callerOf(browser, world().url);
      expect(caller).to.include({ name: 'octo' });
      const user = world().server.services.reader.get('users.iam.svc.app', '', String(caller?.['uid']));
      expect(user?.spec).to.include({ email: 'octo@corp.example', name: 'Octo Cat', emailVerified: true });
      const [binding] = world().server.services.reader.range('organizationbindings.iam.svc.app', 'byUser', [
        String(caller?.['uid']),
      ]);
      expect(binding?.spec).to.include({ role: 'Admin' });
      const asked = world().asked.filter(({ path }) => path.startsWith('/me'));
      expect(asked.map(({ headers }) => headers.authorization)).to.deep.equal(Array(4).fill('Bearer the-access-token'));
    });

    it('refuses members of other organizations and teams, and addresses that are not verified', async () => {
      const cases: readonly Readonly<Record<string, FakeAnswer>>[] = [
        { '/me/orgs': [{ login: 'others' }] },
        { '/me/teams': [{ ...TEAMS[0], id: 12 }] },
        { '/me/teams': undefined },
        { '/me/emails': undefined },
        { '/me/emails': [EMAILS[2]] },
      ];
      for (const one of cases)
        expect(failedWith((await github(one)).page), JSON.stringify(one)).to.equal('not_allowed');
    });

    it('fails as a whole if one of its addresses fails', async () => {
      const broken = (response: { writeHead(status: number): { end(): void } }) => response.writeHead(502).end();
      expect(failedWith((await github({ '/me/teams': broken })).page)).to.equal('provider');
    });

    it('may have many pages, of which a bounded number is read', async () => {
      const full = Array.from({ length: 100 }, (_, id) => ({
        id: 1000 + id,
        slug: `t${id}`,
        organization: { login: 'corp' },
      }));
      world().asked.length = 0;
      expect(failedWith((await github({ '/me/teams': full })).page)).to.equal('not_allowed');
      expect(world().asked.filter(({ path }) => path === '/me/teams')).to.have.length(10);
    });
  },
);

oneFakeWorld(
  'GitLab',
  { gitlab: { scopes: 'read_api', allowed_groups: 'corp/ops' } },
  (world) => {
    const gitlab = (account: object) =>
      world().signIn('gitlab', () => ({
        '/token': ACCESS,
        '/api/v4/user': { id: 7, username: 'lab', state: 'active', ...account },
        '/api/v4/groups': [{ full_path: 'corp/ops' }],
      }));

    it('tells account and groups by its REST API', async () => {
      const { browser } = await gitlab({});
      expect(await callerOf(browser, world().url)).to.include({ name: 'lab' });
      const groups = world().asked.find(({ path }) => path === '/api/v4/groups');
      expect(groups?.query.get('min_access_level')).to.equal('10');
    });

    it('refuses accounts that are blocked', async () => {
      expect(failedWith((await gitlab({ state: 'blocked' })).page)).to.equal('not_allowed');
    });
  },
  {},
  '/api/v4',
);

oneFakeWorld(
  'GitLab by OpenID Connect',
  { gitlab: { scopes: 'openid', allowed_groups: 'corp/ops' } },
  (world) => {
    const gitlab = async (told: object) => {
      const key = await makeKey('one');
      const iat = Math.floor(Date.now() / 1000);
      const claims = { iss: 'https://gitlab.example', aud: 'dashboards', sub: '7', iat, exp: iat + 60 };
      const browser = new Browser();
      const asked = await world().begin(browser, 'gitlab');
      const token = await signed({ ...claims, nonce: asked.get('nonce') }, key);
      world().answers.set('/token', { ...ACCESS, id_token: token });
      world().answers.set('/oauth/userinfo', {
        sub: '7',
        nickname: 'lab',
        preferred_username: 'lab',
        groups: ['corp/ops'],
        ...told,
      });
      const page = await world().back(browser, { code: 'c', state: asked.get('state') ?? '' }, 'gitlab');
      return { browser, page };
    };

    it('tells account and groups beside its REST API', async () => {
      const { browser } = await gitlab({});
      expect(await callerOf(browser, world().url)).to.include({ name: 'lab' });
    });

    it('is refused if it tells of another person than the ID token, or of other groups', async () => {
      expect(failedWith((await gitlab({ sub: '8' })).page)).to.equal('provider');
      expect(failedWith((await gitlab({ groups: ['others'] })).page)).to.equal('not_allowed');
    });
  },
  {},
  '/api/v4',
);

oneFakeWorld('grafana.com', { grafana_com: { scopes: 'user:email', allowed_organizations: 'corp' } }, (world) => {
  it('tells role and organizations with the account', async () => {
    const account = { id: 3, login: 'com', role: 'Editor', orgs: [{ login: 'Corp', role: 'Admin' }] };
    const { browser } = await world().signIn('grafana_com', () => ({ '/token': ACCESS, '/me': account }));
    const caller = await callerOf(browser, world().url);
    const [binding] = world().server.services.reader.range('organizationbindings.iam.svc.app', 'byUser', [
      String(caller?.['uid']),
    ]);
    expect(binding?.spec).to.include({ role: 'Editor' });
    const { page } = await world().signIn('grafana_com', () => ({ '/me': { ...account, id: 4, orgs: [] } }));
    expect(failedWith(page)).to.equal('not_allowed');
  });
});

oneFakeWorld('a provider that takes the secret in the body only', { generic_oauth: { scopes: 'user' } }, (world) => {
  const strict: FakeAnswer = (response: ServerResponse, { form }: { readonly form: URLSearchParams }) => {
    response.setHeader('content-type', 'application/json');
    const isRight = form.get('client_secret') !== null && form.get('code_verifier')?.length === 43;
    response.statusCode = isRight ? 200 : 401;
    response.end(JSON.stringify(isRight ? ACCESS : { error: 'invalid_client' }));
  };

  it('is found out', async () => {
    const { browser } = await world().signIn('generic_oauth', () => ({
      '/token': strict,
      '/me': { id: 1, login: 'body' },
    }));
    expect(await callerOf(browser, world().url)).to.include({ name: 'body' });
    const ways = world()
      .asked.filter(({ path }) => path === '/token')
      .map(({ headers }) => headers.authorization !== undefined);
    expect(ways).to.deep.equal([true, false]);
  });
});

oneWorld(
  'each provider that speaks OpenID Connect',
  (world) => {
    for (const provider of ['generic_oauth', 'gitlab', 'google', 'azuread', 'okta']) {
      it(`signs people in: ${provider}`, async () => {
        const name = `${provider}-person`;
        const { caller } = await world().signInAs(name, { preferred_username: name }, { provider });
        expect(caller).to.include({ name });
      });
    }

    it('has its own accounts: the same subject of two providers is two people', async () => {
      const first = await world().signInAs('same', { preferred_username: 'same1' }, { provider: 'okta' });
      const second = await world().signInAs('same', { preferred_username: 'same2' }, { provider: 'google' });
      expect(first.caller?.['uid']).to.not.equal(second.caller?.['uid']);
    });
  },
  { providers: { generic_oauth: {}, gitlab: {}, google: {}, azuread: {}, okta: {} } },
);
