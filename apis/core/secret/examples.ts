import type { PermissionExamples } from '../../testing/permission-examples.js';

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Secrets: for administrators
Secret get                                 401  403    403    yes   yes  403  yes  403    403  403
Secret list                                401  403    403    yes   yes  403  yes  403    403  403
Secret watch                               401  403    403    yes   yes  403  yes  403    403  403
Secret create                              401  403    403    yes   yes  403  yes  403    403  403
Secret update                              401  403    403    yes   yes  403  yes  403    403  403
Secret patch                               401  403    403    yes   yes  403  yes  403    403  403
Secret delete                              401  403    403    yes   yes  403  yes  403    403  403
Secret deletecollection                    401  403    403    yes   yes  403  yes  403    403  403
`,
  objects: {
    Secret: {
      draft: async ({ cast }) => ({ name: cast.fresh('secret'), spec: {}, members: {} }),
      change: () => ({}),
    },
  },
};
