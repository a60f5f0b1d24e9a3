import type { KindExamples } from '../../testing/kind-examples.js';
import { dashboardNeeded, many, userNeeded } from '../../testing/needs.js';

const DASHBOARDS = { group: 'dashboard.svc.app', kind: 'Dashboard' };
const starred = (...names: readonly unknown[]) => ({ spec: { resource: [{ ...DASHBOARDS, names }] } });

export const examples: KindExamples = {
  minimal: { spec: { resource: [] } },
  full: { metadata: { labels: { team: 'ops' } }, ...starred('starred-1', 'starred-2') },
  changed: starred('starred-2'),
  waiting: { body: { spec: { resource: [] } }, field: 'metadata.name', name: 'user-unborn' },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an unknown dashboard', body: starred('starred-1', 'nothing'), field: 'spec.resource[0].names[1]' },
    { why: 'a name of another type', body: starred(7), field: 'spec.resource[0].names[0]' },
    { why: 'an empty name', body: starred(''), field: 'spec.resource[0].names[0]' },
    {
      why: 'a kind that cannot be starred',
      body: { spec: { resource: [{ group: 'iam.svc.app', kind: 'User', names: ['admin'] }] } },
      field: 'spec.resource[0]',
    },
    {
      why: 'too many names',
      body: starred(...Array.from({ length: 1001 }, (_, i) => `starred-${i}`)),
      field: 'spec.resource[0].names',
    },
  ],
  fixed: ['resource'],
  needs: [
    dashboardNeeded('starred-1'),
    dashboardNeeded('starred-2'),
    ...many((number) => userNeeded(`star-${number}`)),
  ],
  nameOf: (number) => `user-star-${number}`,
  freeText: [],
  freeJson: [],
  columnSample: { resource: [] },
};
