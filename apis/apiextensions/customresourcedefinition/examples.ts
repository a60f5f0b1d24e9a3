import type { ExampleObject, PermissionExamples } from '../../testing/permission-examples.js';

/** The definition of a kind that no other one has. */
const definition: ExampleObject = {
  draft: async ({ cast }) => {
    const kind = cast.fresh('Widget').replace(/[^a-zA-Z0-9]/g, '');
    const plural = `${kind.toLowerCase()}s`;
    const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };
    const spec = { group: 'example.com', scope: 'Namespaced', names: { plural, kind }, versions: [version] };
    return { name: `${plural}.example.com`, spec };
  },
  change: () => ({ conversion: { strategy: 'None' } }),
};

export const permissions: PermissionExamples = {
  rows: `
#                                          anon viewer editor admin root botV botA member lead outsider
# Definitions of kinds: for administrators of the server
CustomResourceDefinition get               401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition list              401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition watch             401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition create            401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition update            401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition patch             401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition delete            401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition deletecollection  401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition/status get        401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition/status update     401  403    403    403   yes  403  403  403    403  403
CustomResourceDefinition/status patch      401  403    403    403   yes  403  403  403    403  403
`,
  objects: {
    CustomResourceDefinition: definition,
    'CustomResourceDefinition/status': { draft: definition.draft, change: () => ({ metadata: {} }) },
  },
};
