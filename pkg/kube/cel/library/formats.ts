import { listOf } from '../values/list.js';
import { parseDate } from '../values/time.js';
import { typeNameOf } from '../values/type-name.js';
import { CelError, NONE, Opaque, Optional, type Value } from '../values/value.js';
import { define, type FunctionDef } from './declare.js';
import { isUrlProblem, parseUrl } from './go-url.js';

/** A format that texts can have. `size` is how long Kubernetes takes its pattern to be. */
export interface Format {
  readonly name: string;
  readonly size: number;
  /** What is wrong with the text. */
  readonly check: (text: string) => readonly string[];
}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = `${LABEL}(\\.${LABEL})*`;
const LABEL_1035 = '[a-z]([-a-z0-9]*[a-z0-9])?';
const KEY = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

// These patterns take linear time.
const isLabel = (text: string) => /^[a-z0-9][-a-z0-9]*$/.test(text) && !text.endsWith('-');
const isSubdomain = (text: string) => text.split('.').every(isLabel);
const isLabel1035 = (text: string) => isLabel(text) && /^[a-z]/.test(text);
const isKey = (text: string) =>
  /^[-A-Za-z0-9_.]+$/.test(text) && /^[A-Za-z0-9]/.test(text) && /[A-Za-z0-9]$/.test(text);

function patternError(message: string, pattern: string, examples: readonly string[]): string {
  const quoted = examples.map((example) => `'${example}'`).join(',  or ');
  return `${message} (e.g. ${quoted}, regex used for validation is '${pattern}')`;
}

function tooLong(text: string, limit: number): readonly string[] {
  return Buffer.byteLength(text) > limit ? [`must be no more than ${limit} bytes`] : [];
}

const LABEL_MESSAGE =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character";
const SUBDOMAIN_MESSAGE =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character";
const LABEL_1035_MESSAGE =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character";
const KEY_MESSAGE =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const VALUE_MESSAGE =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

function label(text: string): readonly string[] {
  const errors = [...tooLong(text, 63)];
  if (!isLabel(text)) {
    errors.push(
      isSubdomain(text) ? 'must not contain dots' : patternError(LABEL_MESSAGE, LABEL, ['my-name', '123-abc']),
    );
  }
  return errors;
}

function subdomain(text: string): readonly string[] {
  const errors = [...tooLong(text, 253)];
  if (!isSubdomain(text)) errors.push(patternError(SUBDOMAIN_MESSAGE, SUBDOMAIN, ['example.com']));
  return errors;
}

function label1035(text: string): readonly string[] {
  const errors = [...tooLong(text, 63)];
  if (!isLabel1035(text)) errors.push(patternError(LABEL_1035_MESSAGE, LABEL_1035, ['my-name', 'abc-123']));
  return errors;
}

function qualifiedName(text: string): readonly string[] {
  const parts = text.split('/');
  const examples = ['MyName', 'my.name', '123-abc'];
  if (parts.length > 2) {
    const error = patternError(KEY_MESSAGE, KEY, examples);
    return [`a valid label key ${error} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`];
  }
  const name = parts.at(-1) ?? '';
  const errors = parts.length === 2 ? prefixErrors(parts[0] ?? '') : [];
  if (name === '') errors.push('name part must be non-empty');
  else errors.push(...tooLong(name, 63).map((error) => `name part ${error}`));
  if (!isKey(name)) errors.push(`name part ${patternError(KEY_MESSAGE, KEY, examples)}`);
  return errors;
}

function prefixErrors(prefix: string): string[] {
  return prefix === '' ? ['prefix part must be non-empty'] : subdomain(prefix).map((error) => `prefix part ${error}`);
}

function labelValue(text: string): readonly string[] {
  const errors = [...tooLong(text, 63)];
  if (text !== '' && !isKey(text)) {
    errors.push(patternError(VALUE_MESSAGE, `(${KEY})?`, ['MyValue', 'my_value', '12345']));
  }
  return errors;
}

/** A name to which more will be added may end with a dash. */
const prefix =
  (check: Format['check']): Format['check'] =>
  (text) =>
    check(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -2)}a` : text);

const UUID = /^[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}$/i;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=|[A-Za-z0-9+/]{4})$/;
const TIME = /^(\d{2}):(\d{2}):(\d{2})(?:.\d+)?(?:z|[+-]\d{2}:\d{2})$/;

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.toLowerCase().split('t');
  const [, hour = '', minute = '', second = ''] = TIME.exec(time) ?? [];
  return hour !== '' && parseDate(date) !== undefined && hour <= '23' && minute <= '59' && second <= '59';
}

function uri(text: string): readonly string[] {
  const url = parseUrl(text);
  return isUrlProblem(url) ? [url.problem] : [];
}

const unless =
  (message: string, isFine: (text: string) => boolean): Format['check'] =>
  (text) =>
    isFine(text) ? [] : [message];

const UUID_SIZE = 70;
const DATE_TIME_SIZE = 71;

const FORMATS: Readonly<Record<string, Format>> = {
  dns1123Label: { name: 'DNS1123Label', size: 30, check: label },
  dns1123Subdomain: { name: 'DNS1123Subdomain', size: 60, check: subdomain },
  dns1035Label: { name: 'DNS1035Label', size: 30, check: label1035 },
  qualifiedName: { name: 'QualifiedName', size: 60, check: qualifiedName },
  dns1123LabelPrefix: { name: 'DNS1123LabelPrefix', size: 30, check: prefix(label) },
  dns1123SubdomainPrefix: { name: 'DNS1123SubdomainPrefix', size: 60, check: prefix(subdomain) },
  dns1035LabelPrefix: { name: 'DNS1035LabelPrefix', size: 30, check: prefix(label1035) },
  labelValue: { name: 'LabelValue', size: 40, check: labelValue },
  uri: { name: 'URI', size: 1103, check: uri },
  uuid: { name: 'uuid', size: UUID_SIZE, check: unless('does not match the UUID format', (text) => UUID.test(text)) },
  byte: { name: 'byte', size: 84, check: unless('invalid base64', (text) => BASE64.test(text)) },
  date: { name: 'date', size: DATE_TIME_SIZE, check: unless('invalid date', (text) => parseDate(text) !== undefined) },
  datetime: { name: 'datetime', size: DATE_TIME_SIZE, check: unless('invalid datetime', isDateTime) },
};

function formatValue(format: Format): Opaque<Format> {
  return new Opaque('kubernetes.NamedFormat', format, format.name);
}

export function formatOf(value: Value | undefined): Format | undefined {
  return value instanceof Opaque && value.type === 'kubernetes.NamedFormat' ? (value.content as Format) : undefined;
}

function overloadError(name: string, args: readonly Value[]): CelError {
  return new CelError(`no such overload: ${name}(${args.map(typeNameOf).join(', ')})`);
}

function named(name: string): Value {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  return format === undefined ? NONE : new Optional(formatValue(format));
}

function validate(args: readonly Value[]): Value {
  const [value, text] = args;
  const format = formatOf(value);
  if (format === undefined || typeof text !== 'string') return overloadError('validate', args);
  const errors = format.check(text);
  return errors.length === 0 ? NONE : new Optional(listOf(errors));
}

export const FORMAT_FUNCTIONS: readonly FunctionDef[] = [
  define('validate', ['format-validate: format.(string) -> optional(list(string))'], validate),
  define('format.named', ['format-named: (string) -> optional(format)'], (args) =>
    typeof args[0] === 'string' ? named(args[0]) : overloadError('format.named', args),
  ),
  ...Object.entries(FORMATS).map(([name, format]) =>
    define(`format.${name}`, [`format.${name}: () -> format`], () => formatValue(format)),
  ),
];
