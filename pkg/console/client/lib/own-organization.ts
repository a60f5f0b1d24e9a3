import { effect, type ReadonlySignal, signal } from '@preact/signals';
import { ApiError, get } from './api.js';
import { objectPath, ownResource } from './discovery.js';
import { forget, namespace, remember } from './namespace.js';
import { isAnonymous, organizations } from './session.js';

const missing = signal<string | undefined>(undefined);
/** The organization of an address, if it does not exist or is none of the caller's. */
export const noSuchOrganization: ReadonlySignal<string | undefined> = missing;

/**
 * Remembers the organization that is shown for the next visit, if it is one of the caller's. Must begin when the
 * organizations were loaded.
 */
export function keepChoosing(): void {
  effect(() => {
    const name = namespace.value;
    missing.value = undefined;
    if (isAnonymous.value) return;
    if (organizations.value.some((one) => one.name === name)) remember(name);
    else void ask(name);
  });
}

/** The list has not all of them, if there are many. If the server does not say, nothing is known. */
async function ask(name: string): Promise<void> {
  const resource = ownResource('iam', 'organizations');
  if (resource === undefined) return;
  try {
    await get(objectPath(resource, '', name));
    remember(name);
  } catch (error) {
    if (!(error instanceof ApiError && (error.code === 404 || error.code === 403))) return;
    forget(name);
    if (namespace.peek() === name) missing.value = name;
  }
}
