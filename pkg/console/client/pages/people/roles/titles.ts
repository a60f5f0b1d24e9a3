import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { get } from '../../../lib/api.js';
import { objectPath, ownResource } from '../../../lib/discovery.js';
import type { KubeObject } from '../../../lib/object.js';
import { getIn } from '../../../lib/organization.js';
import { namespace } from '../../../lib/session.js';
import { type Subject, subjectKey } from '../../folders/access/subjects.js';

/** The most users that are asked for at once. */
const AT_ONCE = 100;

/** The titles of subjects, by `subjectKey`. Titles that are not loaded yet are absent. */
export function useTitles(subjects: readonly Subject[]): ReadonlyMap<string, string> {
  const known = useSignal<ReadonlyMap<string, string>>(new Map());
  const missing = subjects.filter((one) => one.kind !== 'BasicRole' && !known.value.has(subjectKey(one)));
  useEffect(() => {
    if (missing.length === 0) return;
    const controller = new AbortController();
    titlesOf(namespace.value, missing, controller.signal).then((found) => {
      if (!controller.signal.aborted) known.value = new Map([...known.peek(), ...found]);
    });
    return () => controller.abort();
  }, [missing.map(subjectKey).join()]);
  return known.value;
}

/** Loads the titles of subjects. For a subject that cannot be read, it is the name. */
export async function titlesOf(
  place: string,
  subjects: readonly Subject[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, string>> {
  const users = subjects.filter(({ kind }) => kind === 'User');
  const chunks = Array.from({ length: Math.ceil(users.length / AT_ONCE) }, (_, index) =>
    users.slice(index * AT_ONCE, (index + 1) * AT_ONCE),
  );
  const others = subjects.filter(({ kind }) => kind === 'Team' || kind === 'ServiceAccount');
  const found = await Promise.allSettled([
    ...chunks.map((chunk) => usersOf(place, chunk, signal)),
    ...others.map(async (one) => [[subjectKey(one), await titleOf(place, one, signal)] as const]),
  ]);
  const named = subjects.map((one) => [subjectKey(one), one.name] as const);
  return new Map([...named, ...found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))]);
}

async function usersOf(
  place: string,
  users: readonly Subject[],
  signal?: AbortSignal,
): Promise<readonly (readonly [string, string])[]> {
  type Member = { readonly uid: string; readonly name: string; readonly login: string };
  const query = { uid: users.map(({ name }) => name) };
  const found = await getIn<readonly Member[]>(place, '/api/org/users', query, signal);
  return found.map(({ uid, name, login }) => [subjectKey({ kind: 'User', name: uid }), name || login]);
}

async function titleOf(place: string, { kind, name }: Subject, signal?: AbortSignal): Promise<string> {
  const resource = ownResource('iam', kind === 'Team' ? 'teams' : 'serviceaccounts');
  if (resource === undefined) return name;
  const path = objectPath(resource, place, name);
  return (await get<KubeObject<{ readonly title?: string }>>(path, undefined, signal)).spec?.title || name;
}
