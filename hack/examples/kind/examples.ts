import { type KindExamples, LONG } from '../../../apis/testing/kind-examples.js';
import { type PermissionExamples, titled } from '../../../apis/testing/permission-examples.js';

export const examples: KindExamples = {
  minimal: { spec: { title: 'Wall {name}' } },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'text' } },
    spec: { title: 'Wall of {name}', interval: 30, dashboards: ['latency', 'errors'], shareToken: 'open' },
  },
  changed: { spec: { title: 'Screen {name}', interval: 10 } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no title', body: { spec: {} }, field: 'spec.title' },
    { why: 'an interval of nothing', body: { spec: { title: 'x', interval: 0 } }, field: 'spec.interval' },
    { why: 'a dashboard twice', body: { spec: { title: 'x', dashboards: ['a', 'a'] } }, field: 'spec.dashboards[1]' },
  ],
  // Titles are unique, and each dashboard is shown once.
  fixed: ['title', 'dashboards', 'shareToken'],
  freeText: [],
  freeJson: [],
  columnSample: { title: LONG.title, interval: 86_400 },
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Playlists: by role
Playlist get                               401  yes    yes    yes   yes  yes  yes  yes    yes  403
Playlist list                              401  yes    yes    yes   yes  yes  yes  yes    yes  403
Playlist watch                             401  yes    yes    yes   yes  yes  yes  yes    yes  403
Playlist create                            401  403    yes    yes   yes  403  yes  403    403  403
Playlist update                            401  403    yes    yes   yes  403  yes  403    403  403
Playlist patch                             401  403    yes    yes   yes  403  yes  403    403  403
Playlist delete                            401  403    yes    yes   yes  403  yes  403    403  403
Playlist deletecollection                  401  403    yes    yes   yes  403  yes  403    403  403
`,
  seenBy: 'members',
  objects: { Playlist: titled('playlist') },
};
