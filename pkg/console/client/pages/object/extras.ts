import type { ComponentType } from 'preact';
import { lazy } from '../../app/lazy.js';
import { places } from '../../app/places.js';
import { ownResource, type Resource } from '../../lib/discovery.js';
import type { ActionsProps, TabProps } from './props.js';

/** What the page of a kind has beside what all kinds have. */
export interface Extra {
  /** The first word of the group, and the plural name. */
  readonly kind: readonly [word: string, resource: string];
  /** Is above the overview of all kinds. */
  readonly Summary: ComponentType<TabProps>;
  /** In place of the usual ones. */
  readonly Actions?: ComponentType<ActionsProps>;
  readonly tabs?: readonly { readonly id: string; readonly label: string; readonly Tab: ComponentType<TabProps> }[];
  /** The first tabs. The others come after them. */
  readonly order?: readonly string[];
  /** The page that lists the objects, in place of the table of the kind. */
  readonly list?: { readonly place: string; readonly label: string };
}

const EXTRAS: readonly Extra[] = [
  {
    kind: ['dashboard', 'dashboards'],
    Summary: lazy<TabProps>(async () => (await import('../dashboard/summary.js')).DashboardSummary),
    Actions: lazy<ActionsProps>(async () => (await import('../dashboard/actions.js')).DashboardActions),
    tabs: [
      { id: 'json', label: 'JSON', Tab: lazy<TabProps>(async () => (await import('../dashboard/json.js')).JsonTab) },
      {
        id: 'permissions',
        label: 'Permissions',
        Tab: lazy<TabProps>(async () => (await import('../dashboard/permissions.js')).PermissionsTab),
      },
    ],
    order: ['overview', 'json', 'history', 'permissions'],
  },
  {
    kind: ['rules', 'alertrules'],
    Summary: lazy<TabProps>(async () => (await import('../rule/summary.js')).RuleSummary),
  },
  {
    kind: ['dashboard', 'libraryelements'],
    Summary: lazy<TabProps>(async () => (await import('../element/summary.js')).ElementSummary),
  },
  {
    kind: ['mirror', 'mirrors'],
    Summary: lazy<TabProps>(async () => (await import('../mirrors/summary.js')).MirrorSummary),
    Actions: lazy<ActionsProps>(async () => (await import('../mirrors/edit.js')).MirrorActions),
    list: { place: places.mirrors(), label: 'Mirrors' },
  },
];

/** The page of a definition leads to the objects of its kind. */
const DEFINITION: Extra = {
  kind: ['apiextensions', 'customresourcedefinitions'],
  Summary: lazy<TabProps>(async () => (await import('../definition/summary.js')).DefinitionSummary),
};

export function extraFor({ group, resource }: Pick<Resource, 'group' | 'resource'>): Extra | undefined {
  if (group === 'apiextensions.k8s.io' && resource === DEFINITION.kind[1]) return DEFINITION;
  return EXTRAS.find(({ kind: [word, plural] }) => plural === resource && ownResource(word, plural)?.group === group);
}
