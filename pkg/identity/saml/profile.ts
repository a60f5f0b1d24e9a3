import { SignOnFailure } from '../signon/failure.js';
import { type Person, personOf } from '../signon/person.js';
import { OAuthSettings } from '../signon/settings.js';
import type { CheckedAssertion, NameId } from './assertion.js';
import type { SamlSettings } from './settings.js';

const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';
const EMAIL = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
/** Microsoft Entra ID sends this in place of more than 150 groups. */
const OVERAGE = 'http://schemas.microsoft.com/claims/groups.link';

/**
 * The person whom an assertion names, by the rules of all providers: the assertion becomes claims, and the settings
 * become those that read these claims. Throws SignOnFailure.
 */
export function personOfAssertion(settings: SamlSettings, assertion: CheckedAssertion): Person {
  const { attributes, nameId } = assertion;
  const all = (name: string): readonly string[] => (name === '' ? [] : (attributes.get(name) ?? []));
  const first = (name: string): string => all(name)[0] ?? '';
  const groups = all(settings.assertionAttributeGroups);
  if (settings.assertionAttributeGroups !== '' && groups.length === 0 && attributes.has(OVERAGE))
    throw new SignOnFailure('settings', TOO_MANY_GROUPS);
  const organizations = all(settings.assertionAttributeOrg);
  const email = first(settings.assertionAttributeEmail) || (nameId.format === EMAIL ? nameId.value : '');
  const isTransient = nameId.format === TRANSIENT;
  const login = first(settings.assertionAttributeLogin) || (isTransient ? '' : nameId.value);
  const role = roleOf(settings, all(settings.assertionAttributeRole));
  const claims = {
    sub: subjectOf(settings, assertion, first),
    login,
    email,
    ...(first('email_verified') === 'true' && { email_verified: true }),
    name: nameOf(settings.assertionAttributeName, first),
    organizations,
    ...(role !== undefined && { role }),
  };
  return personOf(readingOf(settings), { claims, groups, organizations });
}

const TOO_MANY_GROUPS =
  'the person is in more groups than the provider sends. Let it send only the groups that are assigned to the application';

/** The default of the setting, which few providers send. */
const USUAL_UID = 'userUID';

/**
 * What identifies the person. The name of an attribute is part of it. So a caller who changes the settings cannot let
 * people be others by an attribute that they may write themselves, and no NameID is the value of an attribute. If an
 * attribute was chosen, the NameID does not take its place. A transient NameID is another one at each sign-in.
 *
 * A NameID in another format is another person: people can ask the provider for another format in the request, such as
 * that of user names, and may have chosen somebody's NameID as theirs.
 */
function subjectOf(settings: SamlSettings, { nameId }: CheckedAssertion, first: (name: string) => string): string {
  const { assertionAttributeExternalUid: uid, assertionAttributeLogin: login } = settings;
  if (uid !== '' && uid !== USUAL_UID && first(uid) === '')
    throw new SignOnFailure('settings', `the assertion has no attribute ${uid} (assertion_attribute_external_uid)`);
  const attribute = [uid, ...(nameId.format === TRANSIENT ? [login] : [])].find((name) => first(name) !== '');
  if (attribute !== undefined) return `attribute:${attribute}=${first(attribute)}`;
  if (nameId.format !== TRANSIENT) return `name-id:${formatOf(nameId)}:${nameId.value}`;
  throw new SignOnFailure('settings', 'the NameID is transient, and no attribute tells who the person is');
}

const FORMAT = /^urn:oasis:names:tc:SAML:[12]\.[01]:nameid-format:([A-Za-z0-9]+)$/;

/** The last part, so that a long NameID has room. Other formats are in quotation marks, so that no NameID ends one. */
function formatOf({ format = '' }: NameId): string {
  if (format === '') return 'unspecified';
  return FORMAT.exec(format)?.[1] ?? JSON.stringify(format);
}

/** The name of an attribute, or a text with some: `$__saml{givenName} $__saml{sn}`. */
function nameOf(setting: string, first: (name: string) => string): string {
  return setting.includes('$__saml{')
    ? setting.replaceAll(/\$__saml\{([^}]*)\}/g, (_, name: string) => first(name))
    : first(setting);
}

const ROLES = [
  ['GrafanaAdmin', 'roleValuesGrafanaAdmin'],
  ['Admin', 'roleValuesAdmin'],
  ['Editor', 'roleValuesEditor'],
  ['Viewer', 'roleValuesViewer'],
  ['None', 'roleValuesNone'],
] as const;

/** The highest role that the values mean. Undefined if they mean none. */
function roleOf(settings: SamlSettings, values: readonly string[]): string | undefined {
  const own = new Set(values);
  return ROLES.find(([, key]) => settings[key].some((value) => own.has(value)))?.[0];
}

/** The settings that read the claims above. */
function readingOf(settings: SamlSettings): OAuthSettings {
  const { allowedOrganizations, orgMapping, skipOrgRoleSync } = settings;
  return {
    ...OAuthSettings.parse({}),
    roleAttributePath: settings.assertionAttributeRole === '' ? '' : 'role',
    orgAttributePath: settings.assertionAttributeOrg === '' ? '' : 'organizations',
    allowAssignGrafanaAdmin: settings.roleValuesGrafanaAdmin.length > 0,
    allowedOrganizations,
    orgMapping,
    skipOrgRoleSync,
  };
}
