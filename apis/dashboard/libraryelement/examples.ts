import { type KindExamples, LONG } from '../../testing/kind-examples.js';
import { type ExampleObject, type PermissionExamples, withHistory } from '../../testing/permission-examples.js';

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

const inRoot: ExampleObject = {
  draft: async ({ cast: { fresh } }) => ({
    name: fresh('element'),
    spec: { name: fresh('Element'), kind: 1, model: {} },
  }),
  change: ({ cast: { fresh } }) => ({ name: fresh('Renamed') }),
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Library elements: by role
LibraryElement get                         401  yes    yes    yes   yes  yes  yes  yes    yes  403
LibraryElement list                        401  yes    yes    yes   yes  yes  yes  yes    yes  403
LibraryElement watch                       401  yes    yes    yes   yes  yes  yes  yes    yes  403
LibraryElement create                      401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement update                      401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement patch                       401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement delete                      401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement deletecollection            401  403    yes    yes   yes  403  yes  403    403  403
LibraryElement/history get                 401  yes    yes    yes   yes  yes  yes  yes    yes  403
LibraryElement/restore create              401  403    yes    yes   yes  403  yes  403    403  403
# In a private folder inside a public one, which a team may view, and Editors may edit by a binding of their role
LibraryElement(private) get                401   403   403   yes   yes   403   yes   yes   yes   403
LibraryElement(private) list               401   none  none  yes   yes   none  yes   yes   yes   403
LibraryElement(private) watch              401   none  none  yes   yes   none  yes   yes   yes   403
LibraryElement(private) create             401   403   403   yes   yes   403   yes   403   403   403
LibraryElement(private) update             401   403   403   yes   yes   403   yes   403   403   403
LibraryElement(private) patch              401   403   403   yes   yes   403   yes   403   403   403
LibraryElement(private) delete             401   403   403   yes   yes   403   yes   403   403   403
LibraryElement(private) deletecollection   401   403   none  yes   yes   403   yes   403   403   403
`,
  seenBy: 'members',
  objects: {
    ...withHistory('LibraryElement', inRoot),
  },
};
