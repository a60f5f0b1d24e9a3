import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { type PermissionExamples, titled, withHistory } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: 'Latency {name}' } },
  full: {
    metadata: {
      labels: { team: 'ops' },
      annotations: { 'example.com/note': 'text', 'svc.app/message': 'The first version' },
    },
    spec: {
      title: 'Latency of everything {name}',
      tags: ['ops', 'latency'],
      schemaVersion: 39,
      refresh: null,
      panels: [
        { id: 1, type: 'row', panels: [{ id: 2, libraryPanel: { uid: 'requests', name: 'Requests' } }] },
        { id: 3, type: 'timeseries', targets: [{ refId: 'A', expr: 'sum(rate(x[5m]))' }] },
      ],
    },
  },
  changed: { spec: { title: 'Latency and errors {name}', tags: [] } },
  waiting: {
    body: { metadata: { annotations: { 'svc.app/folder': 'nowhere' } }, spec: { title: 'Latency {name}' } },
    field: 'metadata.annotations[svc.app/folder]',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no title', body: { spec: {} }, field: 'spec.title' },
    { why: 'a title of blanks', body: { spec: { title: ' \t ' } }, field: 'spec.title' },
    { why: 'a title of another type', body: { spec: { title: 7 } }, field: 'spec.title' },
    { why: 'a title too long', body: { spec: { title: 'x'.repeat(5001) } }, field: 'spec.title' },
    { why: 'tags of another type', body: { spec: { title: 'x', tags: 'ops' } }, field: 'spec.tags' },
    { why: 'a tag of another type', body: { spec: { title: 'x', tags: [7] } }, field: 'spec.tags[0]' },
    { why: 'a tag too long', body: { spec: { title: 'x', tags: ['x'.repeat(201)] } }, field: 'spec.tags[0]' },
    {
      why: 'too many tags',
      body: { spec: { title: 'x', tags: Array.from({ length: 501 }, (_, i) => `tag-${i}`) } },
      field: 'spec.tags',
    },
  ],
  isOpen: true,
  // Each tag is stored once.
  fixed: ['tags'],
  freeText: ['/spec/description'],
  freeJson: ['/spec/panels', '/spec/templating'],
  columnSample: { title: LONG.title, tags: [LONG.name, LONG.name] },
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Dashboards: by role
Dashboard get                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
Dashboard list                             401  yes    yes    yes   yes  yes  yes  yes    yes  403
Dashboard watch                            401  yes    yes    yes   yes  yes  yes  yes    yes  403
Dashboard create                           401  403    yes    yes   yes  403  yes  403    403  403
Dashboard update                           401  403    yes    yes   yes  403  yes  403    403  403
Dashboard patch                            401  403    yes    yes   yes  403  yes  403    403  403
Dashboard delete                           401  403    yes    yes   yes  403  yes  403    403  403
Dashboard deletecollection                 401  403    yes    yes   yes  403  yes  403    403  403
Dashboard/history get                      401  yes    yes    yes   yes  yes  yes  yes    yes  403
Dashboard/restore create                   401  403    yes    yes   yes  403  yes  403    403  403
# In a private folder inside a public one, which a team may view, and Editors may edit by a binding of their role
Dashboard(private) get                     401   403   403   yes   yes   403   yes   yes   yes   403
Dashboard(private) list                    401   none  none  yes   yes   none  yes   yes   yes   403
Dashboard(private) watch                   401   none  none  yes   yes   none  yes   yes   yes   403
Dashboard(private) create                  401   403   403   yes   yes   403   yes   403   403   403
Dashboard(private) update                  401   403   403   yes   yes   403   yes   403   403   403
Dashboard(private) patch                   401   403   403   yes   yes   403   yes   403   403   403
Dashboard(private) delete                  401   403   403   yes   yes   403   yes   403   403   403
Dashboard(private) deletecollection        401   403   none  yes   yes   403   yes   403   403   403
`,
  seenBy: 'members',
  objects: {
    ...withHistory('Dashboard', titled('dashboard')),
  },
};
