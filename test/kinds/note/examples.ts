import type { KindExamples } from '../../../apis/testing/kind-examples.js';
import { userNeeded } from '../../../apis/testing/needs.js';

const FOLDER = 'folder.svc.app/v1beta1';

export const noteExamples: KindExamples = {
  minimal: { spec: { text: 'Deployed', time: 1 } },
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'text' } },
    spec: { text: 'Deployed', time: 2, tags: ['deploy', 'api'], folder: 'ops', author: 'ada' },
  },
  changed: { spec: { text: 'Rolled back', time: 3, tags: ['api'] } },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'a text of another type', body: { spec: { text: 7, time: 1 } }, field: 'spec.text' },
    { why: 'no time', body: { spec: { text: 'x' } }, field: 'spec.time' },
    { why: 'an empty tag', body: { spec: { text: 'x', time: 1, tags: [''] } }, field: 'spec.tags[0]' },
  ],
  waiting: { body: { spec: { text: 'x', time: 1, folder: 'nowhere' } }, field: 'spec.folder' },
  fixed: ['folder', 'author', 'belongsTo', 'isBrief'],
  needs: [
    userNeeded('ada'),
    {
      path: `/apis/${FOLDER}/namespaces/default/folders`,
      body: { apiVersion: FOLDER, kind: 'Folder', metadata: { name: 'ops' }, spec: { title: 'Operations' } },
    },
  ],
  freeText: ['/spec/text'],
  freeJson: [],
};
