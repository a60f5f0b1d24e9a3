import type { PermissionExamples } from '../../testing/permission-examples.js';

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Events name objects that not everybody may view: for administrators
Event get                                  401  403    403    yes   yes  403  yes  403    403  403
Event list                                 401  403    403    yes   yes  403  yes  403    403  403
Event watch                                401  403    403    yes   yes  403  yes  403    403  403
Event create                               401  403    403    yes   yes  403  yes  403    403  403
Event update                               401  403    403    yes   yes  403  yes  403    403  403
Event patch                                401  403    403    yes   yes  403  yes  403    403  403
Event delete                               401  403    403    yes   yes  403  yes  403    403  403
Event deletecollection                     401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    Event: {
      draft: async ({ cast }) => ({ name: cast.fresh('event'), spec: {}, members: { involvedObject: {} } }),
      change: () => ({}),
    },
  },
};
