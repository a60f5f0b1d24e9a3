/** Somebody whose level changes, as a warning of the server names them. */
export interface AccessChange {
  /** Absent: somebody whose permissions the caller may not view. */
  readonly subject?: { readonly kind: string; readonly name: string };
  readonly title: string;
  /** Distinguishes people with the same title: the login, or metadata.name. */
  readonly detail?: string;
  /** Empty: no access. */
  readonly from: string;
  readonly to: string;
  /** The number of people behind a team or a role: `7 of 10 people`. */
  readonly people?: string;
}

export type Verb = 'gain' | 'change' | 'lose';

/** What access is about: a folder, a dashboard, a service account or the organization. */
export interface AccessPlace {
  readonly word: string;
  readonly name: string;
}

export interface AccessWarning {
  readonly place: AccessPlace;
  readonly verb: Verb;
  readonly changes: readonly AccessChange[];
  /** How many more there are. */
  readonly more: number;
  /** Whether the warning was too long to be sent whole. */
  readonly isCut: boolean;
}

const START = /^these (gain|change their|lose) access to the ([a-z ]+) ("[^"]*")(?: and what lies in it)?: /;
const VERBS: Readonly<Record<string, Verb>> = { gain: 'gain', 'change their': 'change', lose: 'lose' };
const TEXT = '"(?:[^"\\\\]|\\\\.)*"';
const PEOPLE = '(?:at most |\\d+ of )?\\d+ (?:person|people(?: and service accounts)?)';
const SUBJECT = new RegExp(
  `(?:(User|Team|ServiceAccount|BasicRole)/(\\S+)((?: ${TEXT})*)|others, whose permissions you may not view)` +
    ` \\(((?:[^(),"]|${TEXT})*)(?:, (${PEOPLE}))?\\)(?:, )?`,
  'y',
);
/** `Edit -> View and "Ops writers"`: titles of custom roles are quoted, and may contain an arrow, too. */
const ARROW = new RegExp(`^((?:[^"]|${TEXT})*?) -> (.*)$`);
const REST = /(?:and (\d+) more)?(?:\. If they should |$)/y;

/** What a warning of the server says about access. Undefined for every other warning. */
export function accessWarning(warning: string): AccessWarning | undefined {
  const [start, word = '', what = '', name = '""'] = START.exec(warning) ?? [];
  const verb = VERBS[word];
  if (start === undefined || verb === undefined) return undefined;
  const changes: AccessChange[] = [];
  let at = start.length;
  for (;;) {
    SUBJECT.lastIndex = at;
    const found = SUBJECT.exec(warning);
    if (found === null) break;
    changes.push(changeIn(found, verb));
    at = SUBJECT.lastIndex;
  }
  REST.lastIndex = at;
  const rest = REST.exec(warning);
  const place = { word: what, name: JSON.parse(name) as string };
  return { place, verb, changes, more: Number(rest?.[1] ?? 0), isCut: rest === null };
}

function changeIn([, kind, name = '', texts = '', level = '', people]: RegExpExecArray, verb: Verb): AccessChange {
  const [, first = '', last = ''] = ARROW.exec(level) ?? [];
  const [from, to] = { gain: ['', level], change: [first, last], lose: [level, ''] }[verb] as [string, string];
  const levels = { from: unquoted(from), to: unquoted(to) };
  if (kind === undefined) return { title: 'Others, whose permissions you may not view', ...levels };
  const [title = name, login] = (texts.match(new RegExp(TEXT, 'g')) ?? []).map((text) => JSON.parse(text) as string);
  return { subject: { kind, name }, title, detail: login ?? name, ...levels, ...(people && { people }) };
}

const unquoted = (level: string): string =>
  level.replaceAll(new RegExp(TEXT, 'g'), (title) => JSON.parse(title) as string);

/** The same changes at several places. */
export interface AccessGroup {
  readonly about: AccessWarning;
  readonly places: readonly AccessPlace[];
}

/** The warnings about access, those that say the same of several places once, and all other warnings. */
export function groupedWarnings(warnings: readonly string[]): {
  readonly groups: readonly AccessGroup[];
  readonly others: readonly string[];
} {
  const groups = new Map<string, AccessGroup>();
  const others: string[] = [];
  for (const text of new Set(warnings)) {
    const about = accessWarning(text);
    if (about === undefined) {
      others.push(text);
      continue;
    }
    const { place, ...same } = about;
    const key = JSON.stringify(same);
    groups.set(key, { about, places: [...(groups.get(key)?.places ?? []), place] });
  }
  return { groups: [...groups.values()], others };
}
