import { type KindExamples, LONG, PLAIN_ANSWERS } from '../../testing/kind-examples.js';
import { type PermissionExamples, titled, withHistory } from '../../testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: 'Operations' } },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'text' } },
    spec: { title: 'Operations', description: 'What the operators look at.' },
  },
  changed: { spec: { title: 'Operations and support' } },
  waiting: {
    body: { metadata: { annotations: { 'svc.app/folder': 'nowhere' } }, spec: { title: 'Operations' } },
    field: 'metadata.annotations[svc.app/folder]',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no title', body: { spec: {} }, field: 'spec.title' },
    { why: 'an empty title', body: { spec: { title: '' } }, field: 'spec.title' },
    { why: 'a title of blanks', body: { spec: { title: ' \t ' } }, field: 'spec.title' },
    { why: 'a title of another type', body: { spec: { title: 7 } }, field: 'spec.title' },
    { why: 'a title too long', body: { spec: { title: 'x'.repeat(5001) } }, field: 'spec.title' },
    {
      why: 'a description of another type',
      body: { spec: { title: 'x', description: [] } },
      field: 'spec.description',
    },
  ],
  freeText: ['/spec/description'],
  freeJson: [],
  answers: PLAIN_ANSWERS,
  columnSample: { title: LONG.title },
};

// Promise: specification 4.1, specification 5
export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Folders: by role
Folder get                                 401  yes    yes    yes   yes  yes  yes  yes    yes  403
Folder list                                401  yes    yes    yes   yes  yes  yes  yes    yes  403
Folder watch                               401  yes    yes    yes   yes  yes  yes  yes    yes  403
Folder create                              401  403    yes    yes   yes  403  yes  403    403  403
Folder update                              401  403    yes    yes   yes  403  yes  403    403  403
Folder patch                               401  403    yes    yes   yes  403  yes  403    403  403
Folder delete                              401  403    yes    yes   yes  403  yes  403    403  403
Folder deletecollection                    401  403    yes    yes   yes  403  yes  403    403  403
Folder/history get                         401  yes    yes    yes   yes  yes  yes  yes    yes  403
Folder/restore create                      401  403    yes    yes   yes  403  yes  403    403  403
# In a private folder inside a public one, which a team may view, and Editors may edit by a binding of their role
Folder(private) get                        401   403   403   yes   yes   403   yes   yes   yes   403
Folder(private) list                       401   none  none  yes   yes   none  yes   yes   yes   403
Folder(private) watch                      401   none  none  yes   yes   none  yes   yes   yes   403
Folder(private) create                     401   403   403   yes   yes   403   yes   403   403   403
Folder(private) update                     401   403   403   yes   yes   403   yes   403   403   403
Folder(private) patch                      401   403   403   yes   yes   403   yes   403   403   403
Folder(private) delete                     401   403   403   yes   yes   403   yes   403   403   403
Folder(private) deletecollection           401   403   none  yes   yes   403   yes   403   403   403
`,
  seenBy: 'members',
  objects: {
    ...withHistory('Folder', titled('folder')),
  },
};
