import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { dashboardNeeded } from '../../testing/needs.js';

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
