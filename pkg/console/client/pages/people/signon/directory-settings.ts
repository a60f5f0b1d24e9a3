/** A group that gives a role. */
export interface Mapping {
  readonly group_dn?: string;
  readonly org_role?: string;
  readonly org_id?: number | string;
  readonly grafana_admin?: boolean;
}

/** A directory, as it is stored. What the form does not show stays as it is. */
export interface Directory {
  readonly [key: string]: unknown;
  readonly host?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly group_mappings?: readonly Mapping[];
}

/** Undefined for what is no list of directories, such as YAML that is being typed. */
export function directoriesIn(value: unknown): readonly Directory[] | undefined {
  const { servers } = (typeof value === 'object' && value !== null ? value : {}) as { readonly servers?: unknown };
  if (servers === undefined) return value === '' || typeof value === 'object' ? [] : undefined;
  return Array.isArray(servers) && servers.every((one) => typeof one === 'object' && one !== null)
    ? servers
    : undefined;
}

/** `lines` are a list of texts, and `pem` is a list with one text. */
type Look = 'text' | 'number' | 'lines' | 'pem' | 'area' | 'secret' | 'flag';

export interface DirectoryField {
  /** `attributes.email` is inside of another object. */
  readonly key: string;
  readonly label: string;
  readonly look: Look;
  readonly placeholder?: string;
}

const field = (key: string, label: string, look: Look = 'text', placeholder?: string): DirectoryField => ({
  key,
  label,
  look,
  ...(placeholder !== undefined && { placeholder }),
});

export const CONNECTION = [field('host', 'Host', 'text', 'ldap.example.com'), field('port', 'Port', 'number', '389')];
export const ENCRYPTION = [
  field('ssl_skip_verify', 'Do not check the certificate', 'flag'),
  field('root_ca_cert_value', 'Certificate authorities', 'pem'),
  field('client_cert_value', 'Certificate of this server', 'area'),
  field('client_key_value', 'Private key of this server', 'area'),
];
export const ACCOUNT = [
  field('bind_dn', 'Account that searches', 'text', 'cn=reader,dc=example,dc=com'),
  field('bind_password', 'Password of the account', 'secret'),
];
export const PEOPLE = [
  field('search_base_dns', 'Search bases', 'lines', 'ou=people,dc=example,dc=com'),
  field('search_filter', 'Search filter', 'text', '(uid=%s)'),
  field('attributes.username', 'Attribute of the login', 'text', 'cn'),
  field('attributes.name', 'Attribute of the first name', 'text', 'givenName'),
  field('attributes.surname', 'Attribute of the last name', 'text', 'sn'),
  field('attributes.email', 'Attribute of the e-mail address', 'text', 'mail'),
  field('email_verified', 'E-mail addresses count as verified', 'flag'),
];
export const GROUPS = [
  field('attributes.member_of', 'Attribute of the groups', 'text', 'memberOf'),
  field('group_search_filter', 'Group search filter', 'text', '(member=%s)'),
  field('group_search_filter_user_attribute', 'Attribute for the group search filter', 'text', 'dn'),
  field('group_search_base_dns', 'Group search bases', 'lines', 'ou=groups,dc=example,dc=com'),
];

/** The text of a value in a field. */
export function textOf(directory: Directory, { key }: DirectoryField): string {
  const value = valueAt(directory, key);
  if (Array.isArray(value)) return value.join('\n');
  return value === undefined ? '' : String(value);
}

export function valueAt(directory: Directory, key: string): unknown {
  const [first = '', second] = key.split('.');
  return second === undefined ? directory[first] : directory.attributes?.[second];
}

/** The directory with another text in a field. An empty one leaves the setting out. */
export function withText(directory: Directory, { key, look }: DirectoryField, text: string): Directory {
  return withValue(directory, key, text === '' ? undefined : parsedText(look, text));
}

function parsedText(look: Look, text: string): unknown {
  if (look === 'pem') return [text];
  if (look === 'lines') return text.split('\n').filter((line) => line.trim() !== '');
  return look === 'number' && /^\d+$/.test(text) ? Number(text) : text;
}

export function withValue(directory: Directory, key: string, value: unknown): Directory {
  const [first = '', second] = key.split('.');
  if (second !== undefined) return withValue(directory, first, assigned(directory.attributes ?? {}, second, value));
  const changed = assigned(directory, first, value);
  // Without an account, a stored password would have no effect, which the server refuses.
  return key === 'bind_dn' && value === undefined ? assigned(changed, 'bind_password', undefined) : changed;
}

function assigned(object: object, key: string, value: unknown): Directory {
  const others = Object.entries(object).filter(([name]) => name !== key || value !== undefined);
  return Object.fromEntries(value === undefined ? others.filter(([name]) => name !== key) : [...others, [key, value]]);
}

/** The errors of fields by their paths, such as `servers[0].host`, in what the server says of the whole setting. */
export function errorsIn(
  causes: readonly { readonly message: string; readonly field?: string }[],
): ReadonlyMap<string, string> {
  const own = causes.flatMap(({ message, field: path = '' }) => {
    const [, at] = /^spec\.settings\.config\.(.+)$/.exec(path) ?? [];
    // A list is one field.
    const name = at?.replace(/(_dns|_value)\[\d+\]$/, '$1');
    return name === undefined ? [] : [[name, message.replace(`${at}: `, '')] as const];
  });
  return new Map(own.toReversed());
}

/** What the parts of the form of one directory get. */
export interface DirectoryProps {
  readonly number: number;
  readonly directory: Directory;
  readonly hintOf: (key: string) => string | undefined;
  readonly errorAt: (key: string) => string | undefined;
  readonly disabled: boolean;
  readonly onChange: (directory: Directory) => void;
  readonly onRemove: () => void;
}
