import type { ComponentType } from 'preact';
import { FoldersPage } from '../pages/folders/page.js';
import { lazy } from './lazy.js';

/** The parameters of the path. */
export type Params = Readonly<Record<string, string | undefined>>;
export interface PageProps {
  readonly params: Params;
}
export type Page = ComponentType<PageProps>;

/**
 * The pages, by their paths below the root of the console. The first one is part of the first view. The others are
 * loaded when they are shown.
 */
export const ROUTES: readonly (readonly [path: string, page: Page])[] = [
  ['/folders/:name?', FoldersPage],
  ['/kinds', lazy<PageProps>(async () => (await import('../pages/kinds/page.js')).KindsPage)],
  ['/kinds/:group/:version/:resource', lazy<PageProps>(async () => (await import('../pages/kinds/kind.js')).KindPage)],
  [
    '/objects/:group/:version/:resource/:namespace/:name/:tab?',
    lazy<PageProps>(async () => (await import('../pages/object/page.js')).ObjectPage),
  ],
  [
    '/create/:group/:version/:resource',
    lazy<PageProps>(async () => (await import('../pages/object/yaml/create.js')).CreatePage),
  ],
  ['/trash', lazy<PageProps>(async () => (await import('../pages/trash/page.js')).TrashPage)],
  ['/people/:tab?', lazy<PageProps>(async () => (await import('../pages/people/page.js')).PeoplePage)],
  ['/access', lazy<PageProps>(async () => (await import('../pages/access/page.js')).AccessPage)],
  ['/account', lazy<PageProps>(async () => (await import('../pages/account/page.js')).AccountPage)],
  ['/sets/:name?', lazy<PageProps>(async () => (await import('../pages/sets/page.js')).SetsPage)],
  ['/plan', lazy<PageProps>(async () => (await import('../pages/sets/plan.js')).PlanPage)],
  ['/mirrors', lazy<PageProps>(async () => (await import('../pages/mirrors/page.js')).MirrorsPage)],
  ['/server', lazy<PageProps>(async () => (await import('../pages/server/page.js')).ServerPage)],
];
