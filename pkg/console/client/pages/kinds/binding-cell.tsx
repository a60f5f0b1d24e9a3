import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { isOwnGroup, ownResource, type Resource } from '../../lib/discovery.js';
import { askTitleOf, knownTitleOf } from '../../lib/table-titles.js';
import { subjectKey } from '../folders/access/subjects.js';
import { askTitle, knownTitle } from '../folders/model/titles.js';
import { titlesOf } from '../people/roles/titles.js';
import type { Cell, Column } from './table.js';

/** A cell of the table of role bindings, such as `User/01m8…`, `Role/reports` or `folder/ops`. */
const REFERENCE = /^(User|Team|ServiceAccount|Role|folder|dashboard|serviceaccount)\/(.+)$/;
/** What has no title. */
const WITHOUT: ReadonlySet<string> = new Set(['BuiltIn', 'BasicRole', 'GlobalRole']);
const WORDS: Readonly<Record<string, string>> = {
  BuiltIn: 'built-in',
  BasicRole: 'role',
  GlobalRole: 'global role',
  ServiceAccount: 'service account',
  serviceaccount: 'service account',
};
const RESOURCES: Readonly<Record<string, string>> = {
  Team: 'teams',
  ServiceAccount: 'serviceaccounts',
  serviceaccount: 'serviceaccounts',
  Role: 'roles',
};

/**
 * What a cell of a binding names, such as `User/01m8…`. Undefined for a cell that names nobody, and for other kinds.
 * The cells of team bindings are names alone, under the kind as a heading.
 */
export function referenceIn({ group, resource }: Resource, column: Column, cell: Cell): string | undefined {
  if (typeof cell !== 'string' || cell === '' || !isOwnGroup(group)) return undefined;
  if (resource === 'rolebindings') return cell.includes('/') ? cell : undefined;
  return resource === 'teambindings' && /^(Team|User)$/.test(column.name) ? `${column.name}/${cell}` : undefined;
}

/** Changes when the name of somebody comes. */
export const namesVersion = (): ReadonlyMap<string, string> => users.value;

/** What a reference is shown as, as far as its title is known. */
export function shownReference(text: string, namespace: string): string | undefined {
  const [, kind = '', name = ''] = REFERENCE.exec(text) ?? [];
  const [sort = ''] = text.split('/', 1);
  const title = WITHOUT.has(sort) ? text.slice(sort.length + 1) : titleFor(kind, namespace, name);
  return title === undefined ? undefined : `${wordOf(sort)} ${title}`;
}

/** Asks for the title of what a reference names. */
export function askReference(text: string, namespace: string): void {
  const [, kind = '', name = ''] = REFERENCE.exec(text) ?? [];
  ask(kind, namespace, name);
}

const wordOf = (sort: string): string => WORDS[sort] ?? sort.toLowerCase();

interface Props {
  readonly text: string;
  readonly namespace: string;
  /** Whether it says what the named one is, because the column does not. */
  readonly hasWord: boolean;
}

/** Who or what a cell names, by the title. What it is called in the API is the tooltip. */
export function BindingCell({ text, namespace, hasWord }: Props) {
  useEffect(() => askReference(text, namespace), [text, namespace]);
  const shown = shownReference(text, namespace);
  if (shown === undefined) return <span title={text}>{text}</span>;
  const word = wordOf(text.slice(0, text.indexOf('/')));
  return (
    <span title={text}>
      {hasWord && <span class="muted">{word} </span>}
      <bdi>{shown.slice(word.length + 1)}</bdi>
    </span>
  );
}

function ask(kind: string, namespace: string, name: string): void {
  const resource = ownResource('iam', RESOURCES[kind] ?? '');
  if (kind === 'folder' || kind === 'dashboard') askTitle(kind, namespace, name);
  else if (kind === 'User') askUser(namespace, name);
  else if (resource !== undefined) askTitleOf(resource, namespace, name);
}

function titleFor(kind: string, namespace: string, name: string): string | undefined {
  if (kind === 'folder' || kind === 'dashboard') return knownTitle(kind, namespace, name);
  if (kind === 'User') return users.value.get(`${namespace}/${name}`);
  const resource = ownResource('iam', RESOURCES[kind] ?? '');
  return resource && knownTitleOf(resource, namespace, name);
}

const users = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();
/** By the namespace: users whose names are asked for together. */
const waiting = new Map<string, string[]>();

/** Callers who may not list the members see the uids. */
function askUser(namespace: string, name: string): void {
  const key = `${namespace}/${name}`;
  if (asked.has(key)) return;
  asked.add(key);
  if (waiting.size === 0) setTimeout(() => void askWaiting());
  waiting.set(namespace, [...(waiting.get(namespace) ?? []), name]);
}

async function askWaiting(): Promise<void> {
  const all = [...waiting];
  waiting.clear();
  for (const [namespace, names] of all) {
    const subjects = names.map((name) => ({ kind: 'User' as const, name }));
    const titles = await titlesOf(namespace, subjects);
    const found = subjects.map((one) => [`${namespace}/${one.name}`, titles.get(subjectKey(one)) ?? one.name] as const);
    users.value = new Map([...users.peek(), ...found]);
  }
}
