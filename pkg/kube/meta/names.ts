/** Checks of names, keys and label values. Each check returns the problems in Kubernetes' words. */

const SUBDOMAIN = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*';
const NAME_PART = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const LABEL_VALUE = `(${NAME_PART})?`;

// Equivalent to the patterns above, which are for messages only: they could backtrack for a long time. Subdomains are
// split at the dots.
const subdomain = /^[a-z0-9](?:[-a-z0-9.]*[a-z0-9])?$/;
const label = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;
const namePart = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

const SUBDOMAIN_MAX = 253;
const LABEL_MAX = 63;

const tooLong = (maxLength: number, unit = 'characters'): string => `must be no more than ${maxLength} ${unit}`;
const mustBe = (what: string, examples: string, pattern: string): string =>
  `${what}, and must start and end with an alphanumeric character (e.g. ${examples}, regex used for validation is '${pattern}')`;

const SUBDOMAIN_TEXT = mustBe(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'",
  "'example.com'",
  SUBDOMAIN,
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

/** `unit` is for the message: Kubernetes counts the characters of names, and the bytes of labels. */
export function dns1123SubdomainProblems(name: string, unit?: 'characters' | 'bytes'): readonly string[] {
  if (name.length > SUBDOMAIN_MAX) return [tooLong(SUBDOMAIN_MAX, unit)];
  return subdomain.test(name) && name.split('.').every((part) => label.test(part)) ? [] : [SUBDOMAIN_TEXT];
}

/**
 * The key of a label or annotation, or a finalizer: a name with an optional DNS subdomain as prefix, such as
 * `svc.app/folder`.
 */
export function qualifiedNameProblems(value: string): readonly string[] {
  const parts = value.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2)
    return [
      `a valid label key ${NAME_PART_TEXT} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  if (second === undefined) return namePartProblems(first);
  const prefix =
    first === ''
      ? ['prefix part must be non-empty']
      : dns1123SubdomainProblems(first, 'bytes').map((text) => `prefix part ${text}`);
  return [...prefix, ...namePartProblems(second)];
}

function namePartProblems(name: string): readonly string[] {
  const problems: string[] = [];
  if (name === '') problems.push('name part must be non-empty');
  if (name.length > LABEL_MAX) problems.push(`name part ${tooLong(LABEL_MAX, 'bytes')}`);
  if (!namePart.test(name)) problems.push(`name part ${NAME_PART_TEXT}`);
  return problems;
}

export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = [];
  if (value.length > LABEL_MAX) problems.push(tooLong(LABEL_MAX, 'bytes'));
  if (value !== '' && !namePart.test(value)) problems.push(LABEL_VALUE_TEXT);
  return problems;
}

/** The rule for the names of a kind, if they are not DNS-1123 subdomains of up to 253 characters. */
export interface NameRule {
  readonly maxLength?: number | undefined;
  /** Replaces the pattern of subdomains. It must match the whole name. */
  readonly pattern?: RegExp | undefined;
  /** The message for a name that does not match. */
  readonly patternMessage?: string | undefined;
  /** Names with another meaning, which no object can have. The kind refuses them itself. */
  readonly reserved?: readonly string[];
}

/** Whether an object can have this name. */
export function isPossibleName(name: string, rule: NameRule = {}): boolean {
  return nameProblems(name, rule).length === 0 && rule.reserved?.includes(name) !== true;
}

/** Names that no path can contain, even if the pattern of a kind allows them. */
function pathSegmentProblems(name: string): readonly string[] {
  if (name === '') return ['must not be empty'];
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  const problems: string[] = [];
  for (const char of ['/', '%']) if (name.includes(char)) problems.push(`may not contain '${char}'`);
  return problems;
}

export function nameProblems(name: string, rule: NameRule = {}): readonly string[] {
  const maxLength = rule.maxLength ?? SUBDOMAIN_MAX;
  if (name.length > maxLength) return [tooLong(maxLength)];
  if (rule.pattern === undefined) return dns1123SubdomainProblems(name);
  const problems = pathSegmentProblems(name);
  if (problems.length > 0 || matchesWhole(rule.pattern, name)) return problems;
  return [rule.patternMessage ?? `must match the pattern ${rule.pattern.source}`];
}

/**
 * Resets `lastIndex` and compares the match, so that neither a `g` flag nor a missing anchor makes a wrong name pass.
 */
function matchesWhole(pattern: RegExp, name: string): boolean {
  pattern.lastIndex = 0;
  return pattern.exec(name)?.[0] === name;
}

/**
 * Without vowels and similar characters, as in Kubernetes, so that suffixes form no words. 27 characters give 14
 * million suffixes.
 */
const ALPHABET = 'bcdfghjklmnpqrstvwxz2456789';
const SUFFIX_LENGTH = 5;

/**
 * Appends five random characters to `prefix`, which is cut to fit `maxLength`. `random(n)` returns an integer from 0 to
 * n-1.
 */
export function generateName(prefix: string, maxLength: number, random: (below: number) => number): string {
  let name = prefix.slice(0, Math.max(0, maxLength - SUFFIX_LENGTH));
  for (let i = 0; i < SUFFIX_LENGTH; i++) name += ALPHABET[random(ALPHABET.length)];
  return name;
}

/**
 * The problems of a `generateName`, which is the beginning of a name: it may end with a dash. A base that is too long
 * for its kind is cut.
 */
export function generateNameProblems(base: string, rule: NameRule = {}): readonly string[] {
  const cut = base.slice(0, rule.maxLength);
  return nameProblems(cut.length > 1 && cut.endsWith('-') ? `${cut.slice(0, -1)}a` : cut, rule);
}
