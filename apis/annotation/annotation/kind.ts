import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { column, field } from '../../../registry/kinds/fields.js';
import { type Column, defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import { timestamp } from '../../../registry/write/metadata.js';
import { BY_FACET, BY_TAG, rowsOf } from './facets.js';
import { AnnotationSpec, DASHBOARD, DASHBOARD_SCOPE, ORGANIZATION_SCOPE, specOf } from './schema.js';
import { annotationStrategy } from './strategy.js';

/**
 * Annotations are events at a time, of a dashboard, one of its panels, or the organization. There may be millions of
 * them.
 */
export function annotation(environment: KindEnvironment): Kind<AnnotationSpec> {
  const key = `${environment.domain}/${DASHBOARD}`;
  const isWithoutDashboard = ({ metadata }: KubeObject): boolean => metadata.annotations?.[key] === '';
  return defineKind<AnnotationSpec>(environment, {
    identity: {
      group: 'annotation',
      version: 'v1beta1',
      kind: 'Annotation',
      resource: 'annotations',
      singular: 'annotation',
      scope: 'Namespaced',
      description:
        'Annotation is something that happened at a time or during a time, on a dashboard or in the organization.',
      spec: AnnotationSpec,
    },
    storage: {
      internalId: true,
      ownKeys: [DASHBOARD],
      indexers: {
        [BY_FACET]: (object) => rowsOf(object, environment.domain, BY_FACET),
        [BY_TAG]: (object) => rowsOf(object, environment.domain, BY_TAG),
      },
      dependsOn: {
        resource: resourceName('dashboard/dashboards', environment.domain),
        owner: ({ metadata, spec }) => {
          const [name, uid] = [(spec as AnnotationSpec).dashboardUID, metadata.annotations?.[key]];
          return name && uid ? { name, uid } : undefined;
        },
      },
    },
    access: {
      permissions: {
        get: ['annotations:read'],
        create: ['annotations:create'],
        update: ['annotations:write'],
        delete: ['annotations:delete'],
        // Nobody has rights on a dashboard that does not exist.
        about: {
          resource: resourceName('dashboard/dashboards', environment.domain),
          name: (object) => (isWithoutDashboard(object) ? undefined : specOf(object)?.dashboardUID || undefined),
        },
        scopes: (object) => {
          if ((specOf(object)?.dashboardUID ?? '') === '') return [ORGANIZATION_SCOPE];
          return object.metadata.annotations?.[key] ? [DASHBOARD_SCOPE] : NOWHERE;
        },
      },
    },
    serving: {
      columns: COLUMNS,
      selectableFields: {
        'spec.dashboardUID': field<AnnotationSpec>(({ dashboardUID }) => dashboardUID),
        'spec.panelID': field<AnnotationSpec>(({ panelID }) => panelID?.toString()),
        'spec.alertID': field<AnnotationSpec>(({ alertID }) => alertID?.toString()),
      },
    },
    strategy: annotationStrategy(environment),
  });
}

/**
 * Only permissions on all dashboards or on all folders cover these scopes. A new annotation also has them until the
 * strategy has looked for its dashboard; then it is authorized again.
 */
const NOWHERE = [DASHBOARD_SCOPE, 'dashboards:uid:', 'folders:uid:'];

/** The most characters of a text in a table, so that a table has room on a screen with 100 columns. */
const LONGEST_CELL = 36;

function shortened(text: string): string {
  return text.length > LONGEST_CELL ? `${text.slice(0, LONGEST_CELL - 1)}…` : text;
}

const COLUMNS: readonly Column[] = [
  column<AnnotationSpec>('Text', 'What happened', ({ text }) => shortened(text)),
  column<AnnotationSpec>('Time', 'When it happened or began', ({ time }) => timestamp(time)),
  column<AnnotationSpec>(
    'End',
    'When the region ends',
    ({ timeEnd }) => (timeEnd === undefined ? undefined : timestamp(timeEnd)),
    1,
  ),
  column<AnnotationSpec>('Dashboard', 'The dashboard that it belongs to', ({ dashboardUID }) => dashboardUID, 1),
  column<AnnotationSpec>('Tags', 'Tags', ({ tags }) => tags?.join(','), 1),
];
