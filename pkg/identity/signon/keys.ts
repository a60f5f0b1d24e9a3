/** The sign-on providers, in the order of lists. */
export const SIGN_ON_PROVIDERS = [
  'github',
  'gitlab',
  'google',
  'generic_oauth',
  'grafana_com',
  'azuread',
  'okta',
  'ldap',
  'saml',
] as const;
export type SignOnProvider = (typeof SIGN_ON_PROVIDERS)[number];

/**
 * The names under which settings are stored: `okta`, and `okta-west` for a second provider of the same type. There is
 * one `ldap`, which has several servers.
 */
export const SIGN_ON_NAME = new RegExp(`^(${SIGN_ON_PROVIDERS.join('|')})(?:(?<!^ldap)-[a-z0-9]{1,26})?$`);

/** The type of a provider: `okta` for `okta-west`. Undefined if there is no such type. */
export function signOnType(name: string): SignOnProvider | undefined {
  return SIGN_ON_NAME.exec(name)?.[1] as SignOnProvider | undefined;
}

const text = (description: string, maxLength = 2000) => ({ type: 'text', description, maxLength }) as const;
const yes = (description: string) => ({ type: 'flag', description }) as const;
/** PEM files and SAML metadata are long. */
const document = (description: string) => text(description, 100_000);
/** A setting that clients and other servers know, and that no code of this server reads (docs/adr/0024). */
const unused = <Setting extends { readonly description: string }>(setting: Setting): Setting => ({
  ...setting,
  description: `${setting.description} It is accepted, but has no effect yet.`,
});

const COMMON = {
  enabled: yes('Offers the provider on the sign-in page.'),
  name: text('Name of the provider that people see.', 190),
  allowSignUp: yes('Makes a user at the first sign-in.'),
  autoLogin: yes('Sends people to the provider without showing the sign-in page.'),
  skipOrgRoleSync: yes('Leaves the roles of users as they are at a sign-in.'),
  orgMapping: text('Roles in organizations by what the provider says: "ops:Main Org.:Editor, *:2:Viewer".', 20_000),
  allowedOrganizations: text('Organizations of the provider whose members may sign in, separated by commas.'),
  clientId: text('Client id that the provider gave.'),
  clientSecret: text('Client secret that the provider gave.', 10_000),
  tokenUrl: text('Address of the token endpoint.'),
} as const;

/** The keys of the providers that speak OAuth 2. */
export const OAUTH = {
  ...COMMON,
  icon: unused(text('Icon on the sign-in page.', 190)),
  clientAuthentication: text('How this server authenticates at the token endpoint.', 190),
  managedIdentityClientId: unused(
    text('Client id of the managed identity, for the client authentication managed_identity.'),
  ),
  federatedCredentialAudience: unused(text('Audience of the federated credential, for managed_identity.')),
  workloadIdentityTokenFile: text('File with the token of the workload identity.'),
  scopes: text('Scopes to ask for, separated by commas.'),
  emptyScopes: yes('Asks for no scopes.'),
  authStyle: text('How the client secret is sent to the token endpoint: InParams, InHeader, or empty to find out.', 40),
  authUrl: text('Address of the authorization endpoint.'),
  apiUrl: text('Address of the userinfo endpoint.'),
  teamsUrl: text("Address that returns the user's teams."),
  emailAttributeName: text("Attribute of the user's attributes that has the e-mail address.", 190),
  emailAttributePath: text('JMESPath expression for the e-mail address.'),
  roleAttributePath: text('JMESPath expression for the role.', 10_000),
  roleAttributeStrict: yes('Refuses people for whom roleAttributePath finds no role.'),
  groupsAttributePath: text('JMESPath expression for the groups.'),
  teamIdsAttributePath: text('JMESPath expression for the team ids in what teamsUrl returns.'),
  orgAttributePath: text('JMESPath expression for the organizations that orgMapping maps.'),
  allowedDomains: text('Domains of the e-mail addresses that may sign in, separated by commas.', 20_000),
  allowedGroups: text('Groups whose members may sign in, separated by commas.', 20_000),
  hostedDomain: text('Domain of the hosted accounts that may sign in.'),
  tlsClientCert: document(
    'Certificate for connections to the provider, PEM. The settings of the server may name a file.',
  ),
  tlsClientKey: document('Private key of tlsClientCert, PEM. The settings of the server may name a file.'),
  tlsClientCa: document('Certificate authority of the provider, PEM. The settings of the server may name a file.'),
  tlsSkipVerifyInsecure: yes("Does not check the provider's certificate, and allows http:// addresses."),
  usePkce: yes('Uses Proof Key for Code Exchange (PKCE).'),
  useRefreshToken: unused(yes('Uses refresh tokens.')),
  allowAssignGrafanaAdmin: yes('Lets roleAttributePath make users server administrators.'),
  signoutRedirectUrl: text('Address to which people are sent after they signed out.'),
  loginPrompt: text('What the provider asks: login, consent, select_account, or empty.', 40),
} as const;

export const GITHUB = {
  ...OAUTH,
  teamIds: text('Ids of the teams whose members may sign in, separated by commas.'),
} as const;
export const GENERIC = {
  ...GITHUB,
  nameAttributePath: text("JMESPath expression for the user's name."),
  loginAttributePath: text("JMESPath expression for the user's login."),
  idTokenAttributeName: unused(text('Member of the token response that has the ID token.', 190)),
} as const;
export const AZURE = {
  ...OAUTH,
  forceUseGraphApi: unused(yes('Always reads the groups from the Graph API.')),
} as const;
export const GOOGLE = { ...OAUTH, validateHd: yes('Checks the claim hd against hostedDomain.') } as const;

/** The keys of directories. Their servers are in one key, because they have many settings each. */
export const LDAP = {
  enabled: COMMON.enabled,
  allowSignUp: COMMON.allowSignUp,
  skipOrgRoleSync: COMMON.skipOrgRoleSync,
  activeSyncEnabled: yes(
    'Asks the directory by syncCron about its people, and disables those who have left or are in no mapped group.',
  ),
  syncCron: text(
    'When the directory is asked about its people: a cron expression, such as 0 * * * * for each hour.',
    190,
  ),
  config: { type: 'config', description: 'The servers of the directory.' },
} as const;

export const SAML = {
  ...COMMON,
  entityId: text('Entity id of this server. Empty: the address of its metadata.'),
  singleLogout: yes('Ends the session at the provider at a sign-out, and the session here when the provider asks.'),
  certificate: document('Certificate of this server, PEM or PEM in base64.'),
  certificatePath: text('File with the certificate of this server.'),
  privateKey: document('RSA private key of this server, PEM or PEM in base64. It signs requests and decrypts.'),
  privateKeyPath: text('File with the private key of this server.'),
  signatureAlgorithm: text('Signature of requests: rsa-sha256, rsa-sha512, or empty for none.', 40),
  idpMetadata: document("Provider's metadata, XML or XML in base64."),
  idpMetadataPath: text("File with the provider's metadata."),
  idpMetadataUrl: text("Address of the provider's metadata, which is read again every hour."),
  maxIssueDelay: text('How old an assertion may be, such as 90s.', 40),
  metadataValidDuration: text("How long this server's metadata is valid, such as 48h.", 40),
  nameIdFormat: text('Format of the name id to ask for. Empty: the provider chooses.', 190),
  allowIdpInitiated: yes('Accepts sign-ins that the provider begins.'),
  relayState: text('Relay state that sign-ins must have that the provider begins.'),
  assertionAttributeName: text('Attribute with the name, or a text such as "$__saml{givenName} $__saml{sn}".', 190),
  assertionAttributeLogin: text('Attribute with the login.', 190),
  assertionAttributeEmail: text('Attribute with the e-mail address.', 190),
  assertionAttributeGroups: text('Attribute with the groups.', 190),
  assertionAttributeRole: text('Attribute with the role.', 190),
  assertionAttributeOrg: text('Attribute with the organizations.', 190),
  assertionAttributeExternalUid: text('Attribute that tells who somebody is. Empty: the name id does.', 190),
  roleValuesNone: text('Values of the role attribute that mean no role, separated by commas.'),
  roleValuesViewer: text('The same for Viewer.'),
  roleValuesEditor: text('The same for Editor.'),
  roleValuesAdmin: text('The same for Admin.'),
  roleValuesGrafanaAdmin: text('The same for server administrators.'),
  forceUseGraphApi: AZURE.forceUseGraphApi,
} as const;
