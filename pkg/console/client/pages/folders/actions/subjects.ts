import { get } from '../../../lib/api.js';
import { objectPath, ownResource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';
import { namespace } from '../../../lib/session.js';

/** `User/anna (Edit)`, as the server names somebody who gains or loses access. */
const SUBJECT = /^(User|Team|ServiceAccount|BasicRole)\/(\S+)( .*)$/;
const KINDS: Readonly<Record<string, readonly [resource: string, word: string]>> = {
  User: ['users', ''],
  Team: ['teams', 'Team '],
  ServiceAccount: ['serviceaccounts', 'Service account '],
};

interface Titled {
  readonly login?: string;
  readonly name?: string;
  readonly title?: string;
}

/** Replaces the names of objects by those that people know, as far as the caller may read them. */
export function namesOfSubjects(names: readonly string[]): Promise<readonly string[]> {
  return Promise.all(names.map(nameOfSubject));
}

async function nameOfSubject(text: string): Promise<string> {
  const [, kind = '', name = '', rest = ''] = SUBJECT.exec(text) ?? [];
  if (kind === 'BasicRole') return `Everybody with the role ${name}${rest}`;
  const [plural, word] = KINDS[kind] ?? [];
  const resource = plural === undefined ? undefined : ownResource('iam', plural);
  if (resource === undefined) return text;
  try {
    const { spec } = await get<KubeObject<Titled>>(objectPath(resource, namespace.peek(), name));
    return `${word ?? ''}${spec?.name || spec?.login || spec?.title || name}${rest}`;
  } catch {
    return `${word ?? ''}${name}${rest}`;
  }
}
