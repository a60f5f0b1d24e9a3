import {
  type Context,
  type Draft,
  type PermissionExamples,
  restored,
  titled,
} from '../../apis/testing/permission-examples.js';

const report = {
  ...titled('report'),
  draft: async ({ cast: { fresh } }: Context): Promise<Draft> => ({
    name: fresh('report'),
    spec: { title: fresh('Title'), size: 1 },
  }),
};

/** The permissions on the objects of custom kinds. */
export const customKinds: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Objects of custom kinds: by the labels of the definition; of cluster scope for administrators of the server
Report get                                 401   yes   yes   yes   yes   yes   yes   yes   yes   403
Report list                                401   yes   yes   yes   yes   yes   yes   yes   yes   403
Report watch                               401   yes   yes   yes   yes   yes   yes   yes   yes   403
Report create                              401   403   yes   yes   yes   403   yes   403   403   403
Report update                              401   403   yes   yes   yes   403   yes   403   403   403
Report patch                               401   403   yes   yes   yes   403   yes   403   403   403
Report delete                              401   403   yes   yes   yes   403   yes   403   403   403
Report deletecollection                    401   403   yes   yes   yes   403   yes   403   403   403
Report/history get                         401   yes   yes   yes   yes   yes   yes   yes   yes   403
Report/restore create                      401   403   yes   yes   yes   403   yes   403   403   403
Report/status get                          401   yes   yes   yes   yes   yes   yes   yes   yes   403
Report/status update                       401   403   yes   yes   yes   403   yes   403   403   403
Report/status patch                        401   403   yes   yes   yes   403   yes   403   403   403
Report/scale get                           401   yes   yes   yes   yes   yes   yes   yes   yes   403
Report/scale update                        401   403   yes   yes   yes   403   yes   403   403   403
Report/scale patch                         401   403   yes   yes   yes   403   yes   403   403   403
Plan get                                   401   403   403   yes   yes   403   yes   403   403   403
Plan list                                  401   403   403   yes   yes   403   yes   403   403   403
Plan watch                                 401   403   403   yes   yes   403   yes   403   403   403
Plan create                                401   403   403   yes   yes   403   yes   403   403   403
Plan update                                401   403   403   yes   yes   403   yes   403   403   403
Plan patch                                 401   403   403   yes   yes   403   yes   403   403   403
Plan delete                                401   403   403   yes   yes   403   yes   403   403   403
Plan deletecollection                      401   403   403   yes   yes   403   yes   403   403   403
Site get                                   401   403   403   403   yes   403   403   403   403   403
Site list                                  401   403   403   403   yes   403   403   403   403   403
Site watch                                 401   403   403   403   yes   403   403   403   403   403
Site create                                401   403   403   403   yes   403   403   403   403   403
Site update                                401   403   403   403   yes   403   403   403   403   403
Site patch                                 401   403   403   403   yes   403   403   403   403   403
Site delete                                401   403   403   403   yes   403   403   403   403   403
Site deletecollection                      401   403   403   403   yes   403   403   403   403   403
`,
  objects: {
    Report: report,
    'Report/history': report,
    'Report/restore': restored(report),
    'Report/status': report,
    'Report/scale': {
      draft: report.draft,
      change: () => ({ apiVersion: 'autoscaling/v1', kind: 'Scale', spec: { replicas: 2 } }),
    },
    Plan: titled('plan'),
    Site: titled('site'),
  },
};
