/** An attribute of a SCIM resource (RFC 7643 §7). */
export interface Attribute {
  readonly name: string;
  readonly type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex';
  readonly description: string;
  readonly multiValued: boolean;
  readonly required: boolean;
  readonly caseExact: boolean;
  readonly mutability: 'readOnly' | 'readWrite' | 'immutable' | 'writeOnly';
  readonly returned: 'always' | 'default' | 'request' | 'never';
  readonly uniqueness: 'none' | 'server';
  readonly canonicalValues?: readonly string[];
  readonly referenceTypes?: readonly string[];
  readonly subAttributes?: readonly Attribute[];
}

/** A resource type: its schema, and the attributes with the common ones (RFC 7643 §3.1). */
export interface ResourceSchema {
  readonly urn: string;
  readonly type: 'User' | 'Group';
  readonly endpoint: '/Users' | '/Groups';
  readonly description: string;
  /** Those of the schema, without the common ones. */
  readonly own: readonly Attribute[];
  readonly attributes: readonly Attribute[];
  /** Attributes of RFC 7643 that this server does not keep, in lower case. It ignores them with a warning. */
  readonly ignored: ReadonlySet<string>;
}

const USUAL = {
  type: 'string',
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
} as const;

type Given = Partial<Attribute> & Pick<Attribute, 'name' | 'description'>;
const attribute = (given: Given): Attribute => ({ ...USUAL, ...given });
const readOnly = (given: Given): Attribute => attribute({ mutability: 'readOnly', ...given });

const ID = readOnly({ name: 'id', description: 'The uid of the object.', caseExact: true, returned: 'always' });
const EXTERNAL_ID = attribute({
  name: 'externalId',
  description: 'The identifier at the provisioning client.',
  caseExact: true,
});
const META = readOnly({
  name: 'meta',
  type: 'complex',
  description: 'Type, times, address and version.',
  subAttributes: [
    readOnly({ name: 'resourceType', description: 'User or Group.', caseExact: true }),
    readOnly({ name: 'created', type: 'dateTime', description: 'When it was created.' }),
    readOnly({ name: 'lastModified', type: 'dateTime', description: 'When it was changed.' }),
    readOnly({ name: 'location', type: 'reference', referenceTypes: ['uri'], description: 'Its address.' }),
    readOnly({ name: 'version', description: 'Its entity tag.', caseExact: true }),
  ],
});
const SCHEMAS = attribute({
  name: 'schemas',
  type: 'reference',
  referenceTypes: ['uri'],
  multiValued: true,
  required: true,
  caseExact: true,
  returned: 'always',
  description: 'The schemas of the resource.',
});
const COMMON = [SCHEMAS, ID, EXTERNAL_ID, META];

const lower = (names: readonly string[]): ReadonlySet<string> => new Set(names.map((name) => name.toLowerCase()));

const USER_ATTRIBUTES = [
  attribute({
    name: 'userName',
    description: 'The login. No two people have the same, whatever its case.',
    required: true,
    uniqueness: 'server',
  }),
  attribute({
    name: 'name',
    type: 'complex',
    description: 'The parts of the name.',
    subAttributes: [
      attribute({ name: 'familyName', description: 'The family name.' }),
      attribute({ name: 'givenName', description: 'The given name.' }),
    ],
  }),
  attribute({ name: 'displayName', description: 'The name shown to people; if absent, made of the name.' }),
  attribute({
    name: 'active',
    type: 'boolean',
    description: 'False: they cannot sign in, or not into this organization. If absent, true.',
    required: true,
  }),
  attribute({
    name: 'password',
    description: 'Never returned.',
    mutability: 'writeOnly',
    returned: 'never',
    caseExact: true,
  }),
  attribute({
    name: 'emails',
    type: 'complex',
    multiValued: true,
    description: 'One address: the primary one, else the one of the type work, else the first.',
    subAttributes: [
      attribute({ name: 'value', description: 'The address.', required: true }),
      attribute({ name: 'type', description: 'Always work.', canonicalValues: ['work'] }),
      attribute({ name: 'primary', type: 'boolean', description: 'Always true.', canonicalValues: ['true'] }),
    ],
  }),
  readOnly({
    name: 'groups',
    type: 'complex',
    multiValued: true,
    description: 'The teams of the person.',
    subAttributes: [
      readOnly({ name: 'value', description: 'The id of the group.', caseExact: true }),
      readOnly({ name: '$ref', type: 'reference', referenceTypes: ['Group'], description: 'Its address.' }),
      readOnly({ name: 'display', description: 'Its name.' }),
    ],
  }),
];

const GROUP_ATTRIBUTES = [
  attribute({ name: 'displayName', description: 'The title of the team.', required: true, uniqueness: 'server' }),
  attribute({
    name: 'members',
    type: 'complex',
    multiValued: true,
    description: 'The members, who belong to the organization.',
    subAttributes: [
      attribute({ name: 'value', description: 'The id of the user.', mutability: 'immutable', caseExact: true }),
      attribute({
        name: '$ref',
        type: 'reference',
        referenceTypes: ['User'],
        description: 'Its address, which follows from the value.',
        mutability: 'immutable',
      }),
      attribute({ name: 'type', description: 'Always User.', canonicalValues: ['User'], mutability: 'immutable' }),
    ],
  }),
];

export const ENTERPRISE = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

export const USER: ResourceSchema = {
  urn: 'urn:ietf:params:scim:schemas:core:2.0:User',
  type: 'User',
  endpoint: '/Users',
  description: 'A member of the organization',
  own: USER_ATTRIBUTES,
  attributes: [...COMMON, ...USER_ATTRIBUTES],
  ignored: lower([
    'nickName',
    'profileUrl',
    'title',
    'userType',
    'preferredLanguage',
    'locale',
    'timezone',
    'phoneNumbers',
    'ims',
    'photos',
    'addresses',
    'entitlements',
    'roles',
    'x509Certificates',
    'name.formatted',
    'name.middleName',
    'name.honorificPrefix',
    'name.honorificSuffix',
    'emails.display',
    ENTERPRISE,
  ]),
};

export const GROUP: ResourceSchema = {
  urn: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  type: 'Group',
  endpoint: '/Groups',
  description: 'A team of the organization',
  own: GROUP_ATTRIBUTES,
  attributes: [...COMMON, ...GROUP_ATTRIBUTES],
  ignored: lower(['members.display']),
};

/** The attribute of this name in any case. */
export function attributeNamed(attributes: readonly Attribute[] | undefined, name: string): Attribute | undefined {
  const wanted = name.toLowerCase();
  return attributes?.find((candidate) => candidate.name.toLowerCase() === wanted);
}

/** `name.givenName` without the URN of the schema before it. */
export function withoutUrn(path: string, { urn }: ResourceSchema): string {
  const prefix = `${urn}:`;
  return path.toLowerCase().startsWith(prefix.toLowerCase()) ? path.slice(prefix.length) : path;
}

/** An attribute and its sub-attribute. */
export interface Place {
  readonly attribute: Attribute;
  readonly sub: Attribute | undefined;
}

/** What `name.givenName` names, in any case; undefined if the schema does not have it. */
export function placeOf(path: string, schema: ResourceSchema): Place | undefined {
  const [name = '', subName, ...rest] = withoutUrn(path, schema).split('.');
  const found = attributeNamed(schema.attributes, name);
  if (found === undefined || rest.length > 0) return undefined;
  if (subName === undefined) return { attribute: found, sub: undefined };
  const sub = attributeNamed(found.subAttributes, subName);
  return sub && { attribute: found, sub };
}
