import type { IconName } from '../ui/icon.js';
import { places } from './places.js';

/** The links of the navigation, in their groups. They are no part of the routes, which import pages with styles. */
export const NAVIGATION: readonly (readonly (readonly [to: string, label: string, icon: IconName])[])[] = [
  [
    [places.folders(), 'Folders', 'folders'],
    [places.trash(), 'Trash', 'trash'],
  ],
  [
    [places.kinds(), 'All kinds', 'kinds'],
    [places.sets(), 'Apply sets', 'sets'],
    [places.plan(), 'Plan', 'plan'],
    [places.mirrors(), 'Mirrors', 'mirrors'],
  ],
  [
    [places.people(), 'People', 'people'],
    [places.access(), 'Access', 'access'],
    [places.server(), 'Server', 'server'],
  ],
];
