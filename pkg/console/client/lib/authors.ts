import { signal } from '@preact/signals';
import { get } from './api.js';
import { ownResource, pathOf } from './discovery.js';

interface Users {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec?: { readonly login?: string; readonly name?: string };
  }[];
}

/** The most users whose names are loaded. For other users, the name of the object is shown. */
const MOST = 1000;
const names = signal<ReadonlyMap<string, string>>(new Map());
let isAsked = false;

/** Rejects for callers who may not list users. They see the names of the objects. */
async function load(): Promise<void> {
  const users = ownResource('iam', 'users');
  if (users === undefined) return;
  const { items } = await get<Users>(pathOf(users), { limit: MOST });
  names.value = new Map(items.map(({ metadata, spec }) => [metadata.name, spec?.name || spec?.login || '']));
}

/** The name of an author, such as `user:<name of the object>`, as people know it. */
export function authorName(identity: string | undefined): string {
  if (identity === undefined || identity === '') return 'unknown';
  if (!isAsked) {
    isAsked = true;
    load().catch(() => undefined);
  }
  const plain = identity.replace(/^user:/, '').replace(/^service-account:/, 'service account ');
  return names.value.get(plain) || plain;
}
