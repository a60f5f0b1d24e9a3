/** The syntax of names, keys and label values; each check returns what is wrong in Kubernetes' words, or nothing. */

const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const NAME_PART = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${NAME_PART})?`;

// Matched label by label and character by character: the texts above, shown to people, would backtrack.
const subdomain = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const namePart = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const SUBDOMAIN_MAX = 253;
const LABEL_MAX = 63;

const tooLong = (maxLength: number): string => `must be no more than ${maxLength} characters`;
const mustBe = (what: string, examples: string, pattern: string): string =>
  `${what}, and must start and end with an alphanumeric character (e.g. ${examples}, regex used for validation is '${pattern}')`;

const SUBDOMAIN_TEXT = mustBe(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'",
  "'example.com'",
  SUBDOMAIN,
);
const LABEL_TEXT = mustBe(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-'",
  "'my-name',  or '123-abc'",
  LABEL,
);
const NAME_PART_TEXT = mustBe(
  "must consist of alphanumeric characters, '-', '_' or '.'",
  "'MyName',  or 'my.name',  or '123-abc'",
  NAME_PART,
);
const LABEL_VALUE_TEXT = mustBe(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.'",
  "'MyValue',  or 'my_value',  or '12345'",
  LABEL_VALUE,
);

export function dns1123SubdomainProblems(name: string): readonly string[] {
  if (name.length > SUBDOMAIN_MAX) return [tooLong(SUBDOMAIN_MAX)];
  return subdomain.test(name) && name.split('.').every((part) => label.test(part)) ? [] : [SUBDOMAIN_TEXT];
}

export function dns1123LabelProblems(name: string): readonly string[] {
  if (name.length > LABEL_MAX) return [tooLong(LABEL_MAX)];
  if (label.test(name)) return [];
  return [dns1123SubdomainProblems(name).length === 0 ? 'must not contain dots' : LABEL_TEXT];
}

/** The key of a label or an annotation, a finalizer: a name with an optional DNS subdomain before it, `svc.app/folder`. */
export function qualifiedNameProblems(value: string): readonly string[] {
  const parts = value.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2)
    return [
      `a qualified name ${NAME_PART_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  if (second === undefined) return namePartProblems(first);
  const prefix =
    first === ''
      ? ['prefix part must be non-empty']
      : dns1123SubdomainProblems(first).map((text) => `prefix part ${text}`);
  return [...prefix, ...namePartProblems(second)];
}

function namePartProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name === '') problems.push('name part must be non-empty');
  if (name.length > LABEL_MAX) problems.push(`name part ${tooLong(LABEL_MAX)}`);
  if (!namePart.test(name)) problems.push(`name part ${NAME_PART_TEXT}`);
  return problems;
}

export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > LABEL_MAX) problems.push(tooLong(LABEL_MAX));
  if (value !== '' && !namePart.test(value)) problems.push(LABEL_VALUE_TEXT);
  return problems;
}

/** How a kind's names differ from DNS-1123 subdomains of 253 characters. */
export interface NameRule {
  readonly maxLength?: number | undefined;
  /** Instead of the subdomain's; has to match the whole name. */
  readonly pattern?: RegExp | undefined;
  /** Said when the pattern does not match. */
  readonly patternMessage?: string | undefined;
}

/** What a path cannot carry, whatever a kind's pattern allows. */
function pathSegmentProblems(name: string): readonly string[] {
  if (name === '') return ['must not be empty'];
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((char) => name.includes(char)).map((char) => `may not contain '${char}'`);
}

export function nameProblems(name: string, rule: NameRule = {}): readonly string[] {
  const maxLength = rule.maxLength ?? SUBDOMAIN_MAX;
  if (name.length > maxLength) return [tooLong(maxLength)];
  if (rule.pattern === undefined) return dns1123SubdomainProblems(name);
  const problems = pathSegmentProblems(name);
  if (problems.length > 0 || matchesWhole(rule.pattern, name)) return problems;
  return [rule.patternMessage ?? `must match the pattern ${rule.pattern.source}`];
}

/** `exec` from the start, so that neither a `g` flag's memory nor a missing anchor lets a name through. */
function matchesWhole(pattern: RegExp, name: string): boolean {
  pattern.lastIndex = 0;
  return pattern.exec(name)?.[0] === name;
}

/** Without vowels and look-alikes, so that no words come out; 27 letters to the fifth are 14 million. */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/** `prefix`, cut so that five random characters fit `maxLength` (58 of 63, 35 of 40), and these. `random(n)` draws from 0 … n-1. */
export function generateName(prefix: string, maxLength: number, random: (below: number) => number): string {
  let name = prefix.slice(0, Math.max(0, maxLength - SUFFIX_LENGTH));
  for (let i = 0; i < SUFFIX_LENGTH; i++) name += ALPHABET[random(ALPHABET.length)];
  return name;
}
