import { addFolder, nameOf } from '../../testing/cast.js';
import { type Example, type KindExamples, LONG } from '../../testing/kind-examples.js';
import { type ExampleObject, type PermissionExamples, withHistory } from '../../testing/permission-examples.js';

const metadata = { annotations: { 'svc.app/folder': 'alerting' } };

const query = (refId: string) => ({
  refId,
  relativeTimeRange: { from: 600, to: 0 },
  datasourceUid: 'metrics',
  model: { expr: 'up == 0', refId },
});

const spec = { title: 'Rule {name}', ruleGroup: 'availability', condition: 'A', data: [query('A')] };

/** The minimal rule with other values. `undefined` removes a value. */
const but = (more: object): Example => ({ metadata, spec: { ...spec, ...more } });

export const examples: KindExamples = {
  minimal: { metadata, spec },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { ...metadata.annotations, 'example.com/note': 'text' } },
    spec: {
      ...spec,
      interval: 30,
      groupIndex: 1,
      data: [
        query('A'),
        { refId: 'B', queryType: 'expression', datasourceUid: '__expr__', model: { type: 'threshold', nested: [{}] } },
      ],
      condition: 'B',
      for: '1h30m',
      keepFiringFor: '5m',
      noDataState: 'KeepLast',
      execErrState: 'Alerting',
      labels: { severity: 'critical' },
      annotations: { summary: 'It is down.' },
      isPaused: true,
      missingSeriesEvalsToResolve: 2,
      notificationSettings: { receiver: 'ops', group_by: ['alertname'] },
      record: { metric: 'availability', from: 'B' },
    },
  },
  changed: but({ for: '10m', labels: { severity: 'warning' } }),
  waiting: {
    body: { metadata: { annotations: { 'svc.app/folder': 'nowhere' } }, spec },
    field: 'metadata.annotations[svc.app/folder]',
  },
  invalid: [
    { why: 'no spec', body: { metadata }, field: 'spec' },
    { why: 'no folder', body: { spec }, field: 'metadata.annotations[svc.app/folder]' },
    {
      why: 'the root as folder',
      body: { metadata: { annotations: { 'svc.app/folder': 'general' } }, spec },
      field: 'metadata.annotations[svc.app/folder]',
    },
    { why: 'an empty title', body: but({ title: ' ' }), field: 'spec.title' },
    { why: 'a title too long', body: but({ title: 'x'.repeat(191) }), field: 'spec.title' },
    { why: 'no group', body: but({ ruleGroup: undefined }), field: 'spec.ruleGroup' },
    { why: 'no query', body: but({ data: [] }), field: 'spec.data' },
    { why: 'too many queries', body: but({ data: Array.from({ length: 101 }, () => query('A')) }), field: 'spec.data' },
    { why: 'two queries with one refId', body: but({ data: [query('A'), query('A')] }), field: 'spec.data[1].refId' },
    { why: 'no condition', body: but({ condition: undefined }), field: 'spec.condition' },
    { why: 'a condition that is no query', body: but({ condition: 'Z' }), field: 'spec.condition' },
    { why: 'a duration of another form', body: but({ for: '5 minutes' }), field: 'spec.for' },
    { why: 'an unknown state', body: but({ noDataState: 'Fine' }), field: 'spec.noDataState' },
  ],
  fixed: ['title', 'ruleGroup', 'condition', 'data', 'for', 'keepFiringFor', 'record'],
  needs: [
    {
      path: '/apis/folder.svc.app/v1beta1/namespaces/default/folders',
      body: { metadata: { name: 'alerting' }, spec: { title: 'Alerting' } },
    },
  ],
  freeText: ['/spec/annotations/summary'],
  freeJson: ['/spec/notificationSettings'],
  columnSample: { title: LONG.title, ruleGroup: LONG.name, isPaused: false, for: '1h30m' },
};

const inFolder: ExampleObject = {
  draft: async ({ cast }) => ({
    name: cast.fresh('rule'),
    spec: {
      title: cast.fresh('Rule'),
      ruleGroup: 'group',
      condition: 'A',
      data: [{ refId: 'A', datasourceUid: 'metrics', model: {} }],
    },
    annotations: { 'svc.app/folder': await nameOf(addFolder(cast)) },
  }),
  change: ({ cast: { fresh } }) => ({ title: fresh('Renamed') }),
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Alert rules: by role, as the folder that they lie in
AlertRule get                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
AlertRule list                             401  yes    yes    yes   yes  yes  yes  yes    yes  403
AlertRule watch                            401  yes    yes    yes   yes  yes  yes  yes    yes  403
AlertRule create                           401  403    yes    yes   yes  403  yes  403    403  403
AlertRule update                           401  403    yes    yes   yes  403  yes  403    403  403
AlertRule patch                            401  403    yes    yes   yes  403  yes  403    403  403
AlertRule delete                           401  403    yes    yes   yes  403  yes  403    403  403
AlertRule deletecollection                 401  403    yes    yes   yes  403  yes  403    403  403
AlertRule/history get                      401  yes    yes    yes   yes  yes  yes  yes    yes  403
AlertRule/restore create                   401  403    yes    yes   yes  403  yes  403    403  403
# In a private folder inside a public one, which a team may view, and Editors may edit by a binding of their role
AlertRule(private) get                     401   403   403   yes   yes   403   yes   yes   yes   403
AlertRule(private) list                    401   none  none  yes   yes   none  yes   yes   yes   403
AlertRule(private) watch                   401   none  none  yes   yes   none  yes   yes   yes   403
AlertRule(private) create                  401   403   403   yes   yes   403   yes   403   403   403
AlertRule(private) update                  401   403   403   yes   yes   403   yes   403   403   403
AlertRule(private) patch                   401   403   403   yes   yes   403   yes   403   403   403
AlertRule(private) delete                  401   403   403   yes   yes   403   yes   403   403   403
AlertRule(private) deletecollection        401   403   none  yes   yes   403   yes   403   403   403
`,
  seenBy: 'members',
  objects: {
    ...withHistory('AlertRule', inFolder),
  },
};
