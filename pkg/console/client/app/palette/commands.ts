import { prefix } from '../../lib/api.js';
import { listed, ownResource } from '../../lib/discovery.js';
import { enter } from '../../lib/namespace.js';
import { isAnonymous, may, namespace, organizations, signInAddress } from '../../lib/session.js';
import { refusedPlaces } from '../allowed.js';
import { NAVIGATION } from '../navigation.js';
import { pageIn, places } from '../places.js';
import { switchTheme, theme } from '../theme.js';
import { type Entry, matching } from './entry.js';

type Go = (place: string) => void;

/** The pages that have something for the caller. */
export async function pages(go: Go): Promise<readonly Entry[]> {
  const refused = await refusedPlaces();
  const shown = NAVIGATION.flat().filter(([to]) => !refused.has(to));
  return shown.map(([to, title, icon]) => ({ key: `page ${to}`, group: 'Pages', title, icon, run: () => go(to) }));
}

/** What can be made in the folder that is shown, or at the root. */
const NEW = [
  ['folder', 'New folder', 'folder', 'folders'],
  ['dashboard', 'New dashboard', 'dashboard', 'dashboards'],
  ['import', 'Import dashboards', 'dashboard', 'dashboards'],
] as const;

/** The actions that the caller may use, on the page at this path. */
export async function actions(go: Go, path: string): Promise<readonly Entry[]> {
  const group = 'Actions';
  const place = /^\/folders\/[^/]+$/.test(path) ? path : places.folders();
  const made = NEW.map(async ([id, title, word, plural]): Promise<readonly Entry[]> => {
    const resource = ownResource(word, plural);
    if (resource === undefined) return [];
    const { allowed } = await may({ verb: 'create', resource, namespace: namespace.peek() });
    return allowed ? [{ key: id, group, title, icon: 'plan', run: () => go(`${place}?new=${id}`) }] : [];
  });
  const others = organizations.peek().filter(({ name }) => name !== namespace.peek());
  const switches = others.map(
    ({ name, title }): Entry => ({
      key: `organization ${name}`,
      group: 'Organizations',
      title: `Switch to ${title}`,
      note: name,
      icon: 'home',
      run: () => enter(name, pageIn(path)),
    }),
  );
  return [...(await Promise.all(made)).flat(), ...own(go, group), ...switches];
}

function own(go: Go, group: string): readonly Entry[] {
  const about = (key: string, title: string, run: () => void): Entry => ({ key, group, title, icon: 'check', run });
  const dark = theme.peek() === 'dark' ? 'Light colours' : 'Dark colours';
  const account = isAnonymous.peek()
    ? [about('sign-in', 'Sign in', () => location.assign(signInAddress()))]
    : [
        about('account', 'Preferences and sessions', () => go(places.account())),
        about('sign-out', 'Sign out', () => location.assign(`${prefix}/logout`)),
      ];
  return [
    about('colours', dark, switchTheme),
    about('docs', 'Documentation of the APIs', () => location.assign(`${prefix}/docs`)),
    ...account,
  ];
}

/** The most kinds that are found. */
const MOST_KINDS = 6;

/** The kinds that the caller may list. */
export async function kinds(text: string, go: Go): Promise<readonly Entry[]> {
  const all = listed.peek().map((resource) => ({
    resource,
    key: `kind ${resource.group}/${resource.resource}`,
    group: 'Kinds',
    title: resource.kind,
    note: [resource.resource, ...resource.shortNames, resource.group].join(' '),
    icon: 'kinds' as const,
    run: () => go(places.kind(resource)),
  }));
  const found = (matching(all, text) as typeof all).slice(0, MOST_KINDS);
  const allowed = await Promise.all(
    found.map(({ resource }) => {
      const where = resource.isNamespaced ? namespace.peek() : '';
      return may({ verb: 'list', resource, namespace: where });
    }),
  );
  return found.filter((_, index) => allowed[index]?.allowed === true);
}
