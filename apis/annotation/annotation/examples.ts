import { addDashboard, type Cast, nameOf } from '../../testing/cast.js';
import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { dashboardNeeded } from '../../testing/needs.js';
import { type ExampleObject, type PermissionExamples, privateFolder } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  needs: [dashboardNeeded('noted')],
  minimal: { spec: { text: 'Deployed', time: 1_700_000_000_000 } },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'text' } },
    spec: {
      text: 'The API was slow',
      time: 1_700_000_000_000,
      timeEnd: 1_700_000_600_000,
      dashboardUID: 'noted',
      panelID: 2,
      tags: ['outage', 'service:api'],
      data: { text: 'x', any: { thing: [1, null, 'x'] } },
      alertID: 7,
      newState: 'alerting',
      prevState: 'ok',
    },
  },
  changed: { spec: { text: 'Rolled back', time: 1_700_000_100_000, tags: ['rollback'] } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'an empty text', body: { spec: { text: '', time: 1 } }, field: 'spec.text' },
    { why: 'no time', body: { spec: { text: 'x' } }, field: 'spec.time' },
    { why: 'a time before 1970', body: { spec: { text: 'x', time: -1 } }, field: 'spec.time' },
    { why: 'an end before the time', body: { spec: { text: 'x', time: 2, timeEnd: 1 } }, field: 'spec.timeEnd' },
    { why: 'an empty tag', body: { spec: { text: 'x', time: 1, tags: [' '] } }, field: 'spec.tags[0]' },
    {
      why: 'a tag of a megabyte',
      body: { spec: { text: 'x', time: 1, tags: ['x'.repeat(2 ** 20)] } },
      field: 'spec.tags[0]',
    },
    {
      why: 'tags that are too long together',
      body: { spec: { text: 'x', time: 1, tags: ['x'.repeat(250), 'y'.repeat(250)] } },
      field: 'spec.tags',
    },
    { why: 'data that is no object', body: { spec: { text: 'x', time: 1, data: 'y' } }, field: 'spec.data' },
    {
      why: 'data of more than 64 KiB',
      body: { spec: { text: 'x', time: 1, data: { y: 'z'.repeat(65_536) } } },
      field: 'spec.data',
    },
    {
      why: 'a dashboard that is no name',
      body: { spec: { text: 'x', time: 1, dashboardUID: 'a/b' } },
      field: 'spec.dashboardUID',
    },
    { why: 'a panel that is no number', body: { spec: { text: 'x', time: 1, panelID: '2' } }, field: 'spec.panelID' },
  ],
  fixed: ['time', 'timeEnd', 'dashboardUID', 'tags'],
  freeText: ['/spec/data/text'],
  freeJson: ['/spec/data/any'],
  columnSample: {
    text: LONG.title.repeat(9),
    time: 1_700_000_000_000,
    timeEnd: 1_700_000_000_000,
    dashboardUID: LONG.name,
  },
};

const annotation = (where: (cast: Cast) => Promise<object>): ExampleObject => ({
  draft: async ({ cast }) => ({
    name: cast.fresh('annotation'),
    spec: { text: 'Event', time: 1, ...(await where(cast)) },
  }),
  change: () => ({ text: 'Changed' }),
});

async function onPrivateDashboard(cast: Cast): Promise<object> {
  const annotations = { 'svc.app/folder': await privateFolder(cast) };
  const title = cast.fresh('Dashboard');
  const name = cast.fresh('dashboard');
  const made = cast.made('dashboard.svc.app/v1beta1', 'Dashboard', name, { title }, { annotations });
  return { dashboardUID: await nameOf(made) };
}

// Promise: specification 5
export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Annotations: by role
Annotation get                             401    yes    yes    yes    yes    yes    yes    yes    yes    403
Annotation list                            401    yes    yes    yes    yes    yes    yes    yes    yes    403
Annotation watch                           401    yes    yes    yes    yes    yes    yes    yes    yes    403
Annotation create                          401    403    yes    yes    yes    403    yes    403    403    403
Annotation update                          401    403    yes    yes    yes    403    yes    403    403    403
Annotation patch                           401    403    yes    yes    yes    403    yes    403    403    403
Annotation delete                          401    403    yes    yes    yes    403    yes    403    403    403
Annotation deletecollection                401    403    yes    yes    yes    403    yes    403    403    403
Annotation(dashboard) get                  401    yes    yes    yes    yes    yes    yes    yes    yes    403
Annotation(dashboard) list                 401    yes    yes    yes    yes    yes    yes    yes    yes    403
Annotation(dashboard) watch                401    yes    yes    yes    yes    yes    yes    yes    yes    403
Annotation(dashboard) create               401    403    yes    yes    yes    403    yes    403    403    403
Annotation(dashboard) update               401    403    yes    yes    yes    403    yes    403    403    403
Annotation(dashboard) patch                401    403    yes    yes    yes    403    yes    403    403    403
Annotation(dashboard) delete               401    403    yes    yes    yes    403    yes    403    403    403
Annotation(dashboard) deletecollection     401    403    yes    yes    yes    403    yes    403    403    403
# In a private folder inside a public one, which a team may view, and Editors may edit by a binding of their role
Annotation(private) get                    401   403   403   yes   yes   403   yes   yes   yes   403
Annotation(private) list                   401   none  none  yes   yes   none  yes   yes   yes   403
Annotation(private) watch                  401   none  none  yes   yes   none  yes   yes   yes   403
Annotation(private) create                 401   403   403   yes   yes   403   yes   403   403   403
Annotation(private) update                 401   403   403   yes   yes   403   yes   403   403   403
Annotation(private) patch                  401   403   403   yes   yes   403   yes   403   403   403
Annotation(private) delete                 401   403   403   yes   yes   403   yes   403   403   403
Annotation(private) deletecollection       401   403   none  yes   yes   403   yes   403   403   403
`,
  seenBy: 'members',
  objects: {
    Annotation: annotation(async () => ({})),
    'Annotation(private)': annotation(onPrivateDashboard),
    'Annotation(dashboard)': annotation(async (cast) => ({ dashboardUID: await nameOf(addDashboard(cast)) })),
  },
};
