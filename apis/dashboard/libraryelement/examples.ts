import { type KindExamples, LONG } from '../../testing/kind-examples.js';

/** Examples are variables, because the server changes the model of panels. */
const element = (more: object = {}) => ({ spec: { name: 'Requests {name}', kind: 2, model: {}, ...more } });

export const examples: KindExamples = {
  minimal: element(),
  full: {
    metadata: { labels: { team: 'ops' }, annotations: { 'example.com/note': 'text' } },
    ...element({
      kind: 1,
      type: 'timeseries',
      description: 'Requests a second',
      model: {
        type: 'timeseries',
        description: 'Requests a second',
        title: 'Requests',
        libraryPanel: { uid: '{name}', name: 'Requests {name}' },
        options: { legend: null },
      },
    }),
  },
  changed: element({ type: 'query', description: '', model: { type: 'query', description: '' } }),
  waiting: {
    body: { metadata: { annotations: { 'svc.app/folder': 'nowhere' } }, ...element() },
    field: 'metadata.annotations[svc.app/folder]',
  },
  invalid: [
    { why: 'no spec', body: {}, field: 'spec' },
    { why: 'no name', body: { spec: { kind: 1, model: {} } }, field: 'spec.name' },
    { why: 'a name of blanks', body: element({ name: ' \t ' }), field: 'spec.name' },
    { why: 'a name too long', body: element({ name: 'x'.repeat(501) }), field: 'spec.name' },
    { why: 'no kind', body: { spec: { name: 'x', model: {} } }, field: 'spec.kind' },
    { why: 'an unknown kind', body: element({ kind: 3 }), field: 'spec.kind' },
    { why: 'no model', body: { spec: { name: 'x', kind: 1 } }, field: 'spec.model' },
    { why: 'a model of another type', body: element({ model: [] }), field: 'spec.model' },
    {
      why: 'a type in the model that is too long',
      body: element({ model: { type: 'x'.repeat(201) } }),
      field: 'spec.model.type',
    },
    {
      why: 'a library element in the model',
      body: element({ model: { panels: [{ libraryPanel: { uid: 'other' } }] } }),
      field: 'spec.model.panels',
    },
  ],
  // The server writes the name, the type and the description into the model.
  fixed: ['name', 'kind', 'type', 'description', 'model'],
  freeText: ['/spec/model/title'],
  freeJson: ['/spec/model/options', '/spec/model/targets'],
  columnSample: { name: LONG.title, kind: 2, type: 'state-timeline', model: {} },
};
