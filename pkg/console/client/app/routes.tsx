import type { ComponentType } from 'preact';
import { AccountPage } from '../pages/account/page.js';
import { FoldersPage } from '../pages/folders/page.js';
import { KindPage } from '../pages/kinds/kind.js';
import { KindsPage } from '../pages/kinds/page.js';
import { ObjectPage } from '../pages/object/page.js';
import { PeoplePage } from '../pages/people/page.js';
import { ServerPage } from '../pages/server/page.js';
import { SetsPage } from '../pages/sets/page.js';
import { PlanPage } from '../pages/sets/plan.js';
import { TrashPage } from '../pages/trash/page.js';
import { places } from './places.js';

/** What the router found in the path. */
export type Params = Readonly<Record<string, string | undefined>>;
export type Page = ComponentType<{ readonly params: Params }>;

/** The pages, by their paths below the root of the console. */
export const ROUTES: readonly (readonly [path: string, page: Page])[] = [
  ['/folders/:name?', FoldersPage],
  ['/kinds', KindsPage],
  ['/kinds/:group/:version/:resource', KindPage],
  ['/objects/:group/:version/:resource/:namespace/:name/:tab?', ObjectPage],
  ['/trash', TrashPage],
  ['/people/:tab?', PeoplePage],
  ['/account', AccountPage],
  ['/sets/:name?', SetsPage],
  ['/plan', PlanPage],
  ['/server', ServerPage],
];

/** The navigation, in groups. */
export const NAVIGATION: readonly (readonly (readonly [to: string, label: string])[])[] = [
  [
    [places.folders(), 'Folders'],
    [places.trash(), 'Trash'],
  ],
  [
    [places.kinds(), 'All kinds'],
    [places.sets(), 'Apply sets'],
    [places.plan(), 'Plan'],
  ],
  [
    [places.people(), 'People'],
    [places.server(), 'Server'],
  ],
];
