import { type ReadonlySignal, signal } from '@preact/signals';
import { prefix } from './api.js';

const ROOT = `${prefix}/console`;
/** Where the browser keeps the organization of the caller that was shown last. */
const LAST = 'console.namespace';
const IN_PATH = /^\/o\/([^/]+)(.*)$/;
/** An object at an address of earlier versions. `-` stands for no namespace. */
const OLD_OBJECT = /^\/objects\/[^/]+\/[^/]+\/[^/]+\/([^/]+)\//;

let last = localStorage.getItem(LAST) ?? undefined;
const shown = signal(last ?? 'default');
/** The namespace of the organization that is shown: `default` at `/console/o/default/folders`. */
export const namespace: ReadonlySignal<string> = shown;

/** Whether this browser has shown an organization before, or the first address named one. */
export const isChosen = last !== undefined || IN_PATH.test(pathNow());

/** The path below the root of the console, with the organization. */
function pathNow(): string {
  return location.pathname.slice(ROOT.length);
}

/** The path of an organization, below which all its pages are. */
export const rootOf = (organization: string): string => `${ROOT}/o/${encodeURIComponent(organization)}`;

/** The whole address of a place in the organization that is shown. */
export const linkTo = (place: string): string => `${location.origin}${rootOf(namespace.value)}${place}`;

/** Shows a place in another organization. */
export function enter(organization: string, place: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', `${rootOf(organization)}${place}`);
}

/**
 * Takes the organization from the address. An address without one, as in links of earlier versions, gets that of its
 * object, or the one of the caller that was shown last.
 */
function follow(): void {
  const [, named, rest = pathNow()] = IN_PATH.exec(pathNow()) ?? [];
  if (named === undefined) {
    const [, own = '-'] = OLD_OBJECT.exec(rest) ?? [];
    shown.value = own === '-' ? (last ?? shown.peek()) : decoded(own);
    enter(shown.peek(), `${rest}${location.search}${location.hash}`, {
      replace: true,
    });
    return;
  }
  shown.value = decoded(named);
}

/** The next visit begins in this organization, which is one of the caller. */
export function remember(organization: string): void {
  last = organization;
  localStorage.setItem(LAST, organization);
}

/** The next visit does not begin in this organization. */
export function forget(organization: string): void {
  if (last !== organization) return;
  last = undefined;
  localStorage.removeItem(LAST);
}

/** The organization in which the next visit begins. */
export const remembered = (): string | undefined => last;

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Must begin before a page is shown, so that the organization is known when the page follows a new address. */
export function keepFollowing(): void {
  follow();
  for (const event of ['popstate', 'pushState', 'replaceState']) addEventListener(event, follow);
}
