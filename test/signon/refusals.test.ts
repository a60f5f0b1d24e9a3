import { expect } from 'chai';
import type { Body } from '../harness/body.js';
import { accepted, changingNothing, expectStatus } from '../harness/resource.js';
import { oneStore } from '../harness/stores.js';
import { LEGACY, PATH, setting, signOnCalls } from './settings.js';

const GENERIC = { clientId: 'a', authUrl: 'https://sso.example.com/a', tokenUrl: 'https://sso.example.com/t' };

const wrongEntry = (number: number): string =>
  `Entry ${number} of orgMapping is not valid. Entries are group:organization:role, with one of the roles None, Viewer, Editor, Admin, or group:organization.`;

/** A provider, the settings that are refused, and the message. */
const INVALID: readonly (readonly [string, object, string])[] = [
  ['github', {}, 'Client Id is required.'],
  ['github', { clientId: '' }, 'Client Id is required.'],
  ['github', { clientId: 'a', authUrl: 'https://other.example.com' }, 'Auth URL must be empty.'],
  ['gitlab', { clientId: 'a', tokenUrl: 'https://other.example.com' }, 'Token URL must be empty.'],
  ['google', { clientId: 'a', apiUrl: 'https://other.example.com' }, 'API URL must be empty.'],
  ['grafana_com', { clientId: 'a', teamsUrl: 'https://other.example.com' }, 'Teams URL must be empty.'],
  ['azuread', { clientId: 'a', tokenUrl: 'https://login.example.com' }, 'Auth URL is required.'],
  ['azuread', { ...GENERIC, apiUrl: 'https://other.example.com' }, 'API URL must be empty.'],
  ['okta', { ...GENERIC, apiUrl: '' }, 'API URL is required.'],
  ['generic_oauth', { ...GENERIC, authUrl: 'nonsense' }, 'Auth URL is an invalid URL.'],
  ['generic_oauth', { ...GENERIC, authUrl: 'javascript:alert(1)' }, 'Auth URL is an invalid URL.'],
  ['generic_oauth', { ...GENERIC, tokenUrl: 'file:///etc/passwd' }, 'Token URL is an invalid URL.'],
  ['generic_oauth', { ...GENERIC, apiUrl: 'https://me:secret@sso.example.com' }, 'API URL is an invalid URL.'],
  ['generic_oauth', { ...GENERIC, teamsUrl: 'https://sso.example.com/\\n' }, 'Teams URL is an invalid URL.'],
  [
    'generic_oauth',
    { ...GENERIC, apiUrl: 'http://sso.example.com' },
    'API URL must be an https:// address, unless it is on this machine or tlsSkipVerifyInsecure is set.',
  ],
  [
    'generic_oauth',
    { ...GENERIC, allowedDomains: 'example.com, exa mple' },
    'Allowed domains contains an invalid domain.',
  ],
  [
    'generic_oauth',
    { ...GENERIC, loginPrompt: 'maybe' },
    'Invalid value for login_prompt. Valid values are: login, consent, select_account.',
  ],
  [
    'generic_oauth',
    { ...GENERIC, teamIds: '1' },
    'If Team Ids are configured then Teams URL and Team Ids Attribute Path must be configured.',
  ],
  [
    'github',
    { clientId: 'a', allowAssignGrafanaAdmin: true, skipOrgRoleSync: true },
    'Allow assign Grafana Admin and Skip org role sync are both set thus Grafana Admin role will not be synced. Consider setting one or the other.',
  ],
  ['github', { clientId: 'a', teamIds: '1, x' }, 'Failed to parse Team Ids. Team Ids must be a list of numbers.'],
  ...[
    'emailAttributePath',
    'loginAttributePath',
    'nameAttributePath',
    'roleAttributePath',
    'groupsAttributePath',
    'teamIdsAttributePath',
    'orgAttributePath',
  ].map((key): readonly [string, object, string] => [
    'generic_oauth',
    { ...GENERIC, [key]: '(((' },
    `${key} is not a JMESPath expression. Check its operators, quotes and brackets.`,
  ]),
  ...['garbage', 'ops:Main Org.:Boss', 'ops:1:', 'ops::Editor', '["ops"]', '["ops:1:Viewer"'].map(
    (orgMapping): readonly [string, object, string] => ['github', { clientId: 'a', orgMapping }, wrongEntry(1)],
  ),
  ['saml', { orgMapping: 'ops:1:Editor dev:2:Viewer, *:Guests:Owner' }, wrongEntry(3)],
  [
    'azuread',
    { ...GENERIC, workloadIdentityTokenFile: '/etc/passwd' },
    'workloadIdentityTokenFile cannot be stored. A file is named in the settings of the server, as workload_identity_token_file.',
  ],
  [
    'saml',
    { privateKeyPath: '/etc/key' },
    'privateKeyPath cannot be stored. A file is named in the settings of the server, as private_key_path.',
  ],
  ...(
    [
      [
        { signatureAlgorithm: 'rsa-sha1' },
        'signatureAlgorithm cannot be rsa-sha1, because SHA-1 can be forged. Use rsa-sha256.',
      ],
      [{ signatureAlgorithm: 'none' }, 'signatureAlgorithm must be one of rsa-sha256, rsa-sha512, or empty.'],
      [{ signatureAlgorithm: 'rsa-sha256' }, 'signatureAlgorithm needs certificate and privateKey.'],
      [{ maxIssueDelay: '2h' }, 'maxIssueDelay must be from 1s to 1h.'],
      [{ metadataValidDuration: 'long' }, 'metadataValidDuration must be from 1m to 10000h.'],
      [{ nameIdFormat: 'persistent' }, 'nameIdFormat must be a URI, such as urn:oasis:names:tc:SAML:….'],
      [{ entityId: 'a b' }, 'entityId must be one word, such as a URI.'],
      [{ idpMetadata: 'x' }, 'idpMetadata is neither XML nor XML in base64.'],
      [
        { idpMetadataUrl: 'http://id.example.com' },
        'IdP metadata URL must be an https:// address, unless it is on this machine or tlsSkipVerifyInsecure is set.',
      ],
      [
        { idpMetadata: '<EntityDescriptor/>', idpMetadataUrl: 'https://id.example.com' },
        'Only one of idpMetadata, idpMetadataPath and idpMetadataUrl can be set.',
      ],
      [{ enabled: true }, 'One of idpMetadata and idpMetadataUrl is required.'],
      [{ certificate: 'x' }, 'certificate is no certificate in PEM, or PEM in base64.'],
      [{ privateKey: 'x' }, 'privateKey is no RSA private key in PEM without a passphrase, or PEM in base64.'],
      ...[
        { clientId: 'a' },
        { clientSecret: 'a' },
        { tokenUrl: 'https://id.example.com' },
        { forceUseGraphApi: true },
      ].map(
        (settings) =>
          [
            settings,
            'The groups are read from the assertion, so there is nothing to ask Microsoft Graph for. Leave it empty.',
          ] as const,
      ),
    ] as const
  ).map(([settings, message]): readonly [string, object, string] => ['saml', settings, message]),
  [
    'github',
    { clientId: 'a', tlsClientKey: '/etc/key' },
    'tlsClientKey must be PEM. A file is named in the settings of the server, as tls_client_key.',
  ],
  [
    'github',
    { clientId: 'a', colour_secret: 'red' },
    'colour_secret is not a setting of this server, and looks like a secret, which would be shown.',
  ],
  ['github', { clientId: 'a', entityId: 'x' }, '"entityId" is not a setting of github.'],
  ['github', { clientId: ['a'] }, 'clientId is invalid: expected string, received array.'],
  ['github', { clientId: 'a', enabled: 'yes' }, 'enabled is invalid: expected boolean, received string.'],
  ['github', { clientId: 'a', scopes: ['a', 'b'] }, 'scopes is invalid: expected string, received array.'],
  [
    'github',
    { clientId: 'x'.repeat(1_000_000) },
    'clientId is invalid: Too big: expected string to have <=2000 characters.',
  ],
];

oneStore('Settings of providers that are wrong', (server) => {
  const { put } = signOnCalls(server);
  const refused = async (work: () => Promise<{ status: number; text: string; json(): Body }>, status: number) => {
    const answer = await changingNothing(server(), work);
    expect(answer.status, answer.text).to.equal(status);
    return answer.json();
  };

  for (const [provider, settings, message] of INVALID) {
    it(`${provider} ${JSON.stringify(settings).slice(0, 100)}: ${message}`, async () => {
      const body = await refused(() => put(provider, settings as never), 400);
      expect(body).to.include({ statusCode: 400, messageId: 'sso.invalidOauthConfig', message });
    });
  }

  // Promise: specification 4.10
  it('are refused by the resource API with the same messages, and the field', async () => {
    const body = setting('github', { clientId: 'a', authUrl: 'https://other.example.com' });
    const answer = await changingNothing(server(), () => server().call('POST', PATH, { body }));
    const { details } = expectStatus(answer, 422, 'Invalid', 'Auth URL must be empty.');
    expect(details.causes?.[0]?.field).to.equal('spec.settings.authUrl');
    const strange = setting('github', { clientId: 'a', colour: 'red' });
    const strict = await server().call('POST', PATH, { body: strange, query: { fieldValidation: 'Strict' } });
    expectStatus(strict, 400, 'BadRequest', 'unknown field "spec.settings.colour"');
  });

  it('are not shown in the message, if they are secret', async () => {
    const answer = await put('github', { clientSecret: 'hidden'.repeat(2000) });
    expect(accepted(answer, 400).text).to.contain('clientSecret').and.not.contain('hidden');
  });

  it('do not include addresses on this machine or unverified ones without https, and lists in JSON', async () => {
    const apiUrl = 'http://localhost:8080/userinfo';
    accepted(await put('generic_oauth', { ...GENERIC, apiUrl }), 204);
    accepted(await put('generic_oauth', { ...GENERIC, allowedDomains: '["example.com", "example.org"]' }), 204);
    const open = { ...GENERIC, apiUrl: 'http://sso.example.com', tlsSkipVerifyInsecure: true };
    accepted(await put('generic_oauth', open), 204);
  });

  it('do not include expressions and mappings that sign-ins can read', async () => {
    const paths = [" contains(groups[*], 'ops') && 'Admin' || 'Viewer' ", ' ', "'Editor'", 'a."b:c"[0] | @'];
    for (const roleAttributePath of paths) accepted(await put('generic_oauth', { ...GENERIC, roleAttributePath }), 204);
    const mappings = ['*:1', 'ops:Main Org.:Editor dev\\:1:2:viewer\n*:*:None,', '["a b:Main, Org.:Admin"]', '[]', ' '];
    for (const orgMapping of mappings) accepted(await put('generic_oauth', { ...GENERIC, orgMapping }), 204);
  });

  // Promise: specification 4.10, specification 7
  it('and bodies without settings, or without JSON, get 400', async () => {
    const send = (body: unknown) => server().call('PUT', `${LEGACY}/github`, { body });
    for (const body of [{}, { settings: null }, { settings: 'x' }, { settings: [] }, []]) {
      const failure = await refused(() => send(body), 400);
      expect(failure, JSON.stringify(body)).to.include({
        messageId: 'sso.settings',
        message: 'Settings field is invalid',
      });
    }
    for (const text of ['{"settings":', '{"settings":{"clientId":"a","__proto__":{"enabled":true}}}']) {
      expect((await refused(() => send(text), 400)).message).to.equal('Failed to parse request body');
    }
  });

  // Promise: specification 4.10, specification 7
  it('of an unknown provider get 404 from GET and DELETE, and 400 from PUT', async () => {
    for (const name of ['gitea', 'GitHub', 'github-', '__proto__', 'github.com', 'ldap-west']) {
      for (const method of ['GET', 'DELETE']) {
        const body = await refused(() => server().call(method, `${LEGACY}/${name}`), 404);
        expect(body, name).to.include({ messageId: 'sso.notFound', message: 'The provider was not found.' });
      }
      const body = await refused(() => put(name, { clientId: 'a' }), 400);
      expect(body, name).to.include({ messageId: 'sso.invalidProvider', message: 'Provider is invalid' });
    }
  });
});
