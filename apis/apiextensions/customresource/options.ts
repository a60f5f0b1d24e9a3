import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { compileJsonPath } from '../../../pkg/kube/structural/json-path.js';
import { WORDS, type Word } from '../names.js';

type Labels = Readonly<Record<string, string>>;

/** What the labels of a definition say about its objects. */
export interface DecodeOptions {
  readonly inFolders: boolean;
  readonly history: { readonly versions?: number } | undefined;
  readonly trash: boolean;
  /** The path of the title, such as `.spec.title`. */
  readonly search: string | undefined;
}

const MOST_VERSIONS = 1000;

export function optionsOf(labels: Labels = {}, domain: string): DecodeOptions {
  const word = (name: Word): string | undefined => labels[`${domain}/${WORDS[name]}`];
  const [history, search] = [word('history'), word('search')];
  return {
    inFolders: word('containment') === 'folders',
    history: history === undefined ? undefined : history === 'true' ? {} : { versions: Number(history) },
    trash: word('trash') === 'true',
    search: search === undefined ? undefined : `.${search}`,
  };
}

const ALLOWED: Readonly<Record<Exclude<Word, 'history' | 'search'>, readonly string[]>> = {
  containment: ['folders'],
  trash: ['true'],
  viewer: ['read'],
  editor: ['read', 'write'],
};

export function optionCauses(labels: Labels = {}, domain: string, scope: string | undefined): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  for (const [name, word] of Object.entries(WORDS) as [Word, string][]) {
    const value = labels[`${domain}/${word}`];
    if (value === undefined) continue;
    const field = `metadata.labels[${domain}/${word}]`;
    const problem = problemOf(name, value) ?? scopeProblem(name, scope);
    if (problem !== undefined)
      causes.push({
        reason: 'FieldValueInvalid',
        message: `Invalid value: ${JSON.stringify(value)}: ${problem}`,
        field,
      });
  }
  return causes;
}

function problemOf(name: Word, value: string): string | undefined {
  if (name === 'history') {
    const isCount = /^[1-9]\d{0,3}$/.test(value) && Number(value) <= MOST_VERSIONS;
    return value === 'true' || isCount ? undefined : `must be true, or a number of versions up to ${MOST_VERSIONS}`;
  }
  if (name === 'search') return isPath(value) ? undefined : 'must be a path, such as spec.title';
  const allowed = ALLOWED[name];
  return allowed.includes(value) ? undefined : `must be ${allowed.join(' or ')}`;
}

function isPath(value: string): boolean {
  try {
    compileJsonPath(`.${value}`);
    return true;
  } catch {
    return false;
  }
}

/** Folders, versions and trash belong to organizations, so only objects in namespaces have them. */
function scopeProblem(name: Word, scope: string | undefined): string | undefined {
  const needsNamespace = name === 'containment' || name === 'history' || name === 'trash';
  return needsNamespace && scope !== 'Namespaced' ? 'only objects in namespaces can have this' : undefined;
}

/** What a change of the labels would make wrong for objects that exist. */
export function changedOptionCauses(labels: Labels = {}, old: Labels = {}, domain: string): readonly StatusCause[] {
  return (['containment', 'search'] as const).flatMap((name) => {
    const key = `${domain}/${WORDS[name]}`;
    if (labels[key] === old[key]) return [];
    const message = 'Forbidden: cannot change while there are objects of this kind; delete them before';
    return [{ reason: 'FieldValueForbidden', message, field: `metadata.labels[${key}]` }];
  });
}
