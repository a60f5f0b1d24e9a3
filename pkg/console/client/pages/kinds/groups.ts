import { isOwnGroup, type Resource } from '../../lib/discovery.js';

export interface KindGroup {
  readonly title: string;
  readonly hint: string;
  readonly kinds: readonly Resource[];
}

const CUSTOM = 'Kinds of your own';
const QUESTIONS = 'Questions';

const HINTS: Readonly<Record<string, string>> = {
  Content: 'Folders, and what people make and keep in them.',
  Alerting: 'Rules that watch over values.',
  'People and access': 'Who there is, and what they may do.',
  'Settings and values': 'Values and secrets for programs, and the places of objects.',
  Activity: 'What happens, and who does it at the moment.',
  Management: 'What defines kinds, and what is applied together.',
  [CUSTOM]: 'Kinds that a CustomResourceDefinition adds to the server.',
  [QUESTIONS]: 'Requests that the server answers and does not keep.',
};

/** Titles for the API groups of the server, by the first word of their names. */
const TITLES: Readonly<Record<string, string>> = {
  folder: 'Content',
  dashboard: 'Content',
  annotation: 'Content',
  collections: 'Content',
  queryhistory: 'Content',
  preferences: 'People and access',
  iam: 'People and access',
  rules: 'Alerting',
  '': 'Settings and values',
  events: 'Activity',
  coordination: 'Activity',
  apply: 'Management',
  apiextensions: 'Management',
};

function titleOf({ group, resource, verbs }: Resource): string {
  if (!verbs.includes('list')) return QUESTIONS;
  if (group === '' && resource === 'events') return 'Activity';
  const [first = ''] = group.split('.');
  const isOwn = group === '' || isOwnGroup(group) || group.endsWith('.k8s.io');
  return (isOwn ? TITLES[first] : undefined) ?? CUSTOM;
}

/** The kinds that match a search, in groups. Empty groups are left out. */
export function grouped(all: readonly Resource[], search: string): readonly KindGroup[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  const found = all
    .filter(({ isPreferred, verbs }) => isPreferred && verbs.length > 0)
    .filter((one) => words.every((word) => textOf(one).includes(word)))
    .sort((a, b) => a.kind.localeCompare(b.kind) || a.group.localeCompare(b.group));
  return Object.keys(HINTS).flatMap((title) => {
    const kinds = found.filter((one) => titleOf(one) === title);
    return kinds.length === 0 ? [] : [{ title, hint: HINTS[title] ?? '', kinds }];
  });
}

function textOf({ kind, resource, singular, shortNames, group, categories }: Resource): string {
  return [kind, resource, singular, ...shortNames, group, ...categories].join(' ').toLowerCase();
}
