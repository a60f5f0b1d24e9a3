import type { PermissionExamples } from '../../testing/permission-examples.js';

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# ConfigMaps: for administrators
ConfigMap get                              401  403    403    yes   yes  403  yes  403    403  403
ConfigMap list                             401  403    403    yes   yes  403  yes  403    403  403
ConfigMap watch                            401  403    403    yes   yes  403  yes  403    403  403
ConfigMap create                           401  403    403    yes   yes  403  yes  403    403  403
ConfigMap update                           401  403    403    yes   yes  403  yes  403    403  403
ConfigMap patch                            401  403    403    yes   yes  403  yes  403    403  403
ConfigMap delete                           401  403    403    yes   yes  403  yes  403    403  403
ConfigMap deletecollection                 401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    ConfigMap: {
      draft: async ({ cast }) => ({ name: cast.fresh('config'), spec: {}, members: {} }),
      change: () => ({}),
    },
  },
};
