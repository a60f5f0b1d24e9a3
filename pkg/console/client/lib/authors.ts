import { signal } from '@preact/signals';
import { get } from './api.js';
import { ownResource, pathOf } from './discovery.js';
import { getIn } from './organization.js';
import { may, namespace } from './session.js';

interface Users {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec?: { readonly login?: string; readonly name?: string };
  }[];
}

/** The most users whose names are loaded. For other users, the name of the object is shown. */
const MOST = 1000;
const names = signal<ReadonlyMap<string, string>>(new Map());
/** The organization whose names were asked for. */
let asked: string | undefined;

/** All users for who may list them, and otherwise the members of the organization. */
async function load(): Promise<void> {
  const users = ownResource('iam', 'users');
  if (users === undefined) return;
  const { allowed } = await may({ verb: 'list', resource: users });
  const found = allowed ? await everybody(pathOf(users)) : await members(namespace.peek());
  names.value = new Map([...names.peek(), ...found]);
}

type Names = readonly (readonly [uid: string, name: string])[];

async function everybody(path: string): Promise<Names> {
  const { items } = await get<Users>(path, { limit: MOST });
  return items.map(({ metadata, spec }) => [metadata.name, spec?.name || spec?.login || '']);
}

/** Nobody for callers who may not list members. They see the names of the objects. */
async function members(where: string): Promise<Names> {
  const bindings = ownResource('iam', 'organizationbindings');
  if (bindings === undefined) return [];
  const { allowed } = await may({ verb: 'list', resource: bindings, namespace: where });
  if (!allowed) return [];
  type Member = { readonly uid: string; readonly name: string; readonly login: string };
  const all = await getIn<readonly Member[]>(where, '/api/org/users', { limit: MOST });
  return all.map(({ uid, name, login }) => [uid, name || login]);
}

/** The name of an author, such as `user:<name of the object>`, as people know it. */
export function authorName(identity: string | undefined): string {
  if (identity === undefined || identity === '') return 'unknown';
  if (asked !== namespace.peek()) {
    asked = namespace.peek();
    load().catch(() => undefined);
  }
  const plain = identity.replace(/^user:/, '').replace(/^service-account:/, 'service account ');
  return names.value.get(plain) || plain;
}
