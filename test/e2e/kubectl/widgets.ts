/** The definition of a kind for the tests, as a manifest for `-f -`. */
export const DEFINITION = JSON.stringify({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.shop.example.com' },
  spec: {
    group: 'shop.example.com',
    scope: 'Namespaced',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', shortNames: ['wd'], categories: ['goods'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema() },
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        selectableFields: [{ jsonPath: '.spec.colour' }],
        additionalPrinterColumns: [
          { name: 'Colour', type: 'string', jsonPath: '.spec.colour' },
          { name: 'Replicas', type: 'integer', jsonPath: '.spec.replicas', priority: 1 },
          { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
          { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        ],
      },
    ],
  },
});

function schema(): object {
  const part = {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', description: 'How the part is called.' }, count: { type: 'integer' } },
  };
  const spec = {
    type: 'object',
    description: 'What the widget is.',
    required: ['colour'],
    properties: {
      colour: { type: 'string', description: 'What it looks like.', enum: ['red', 'green', 'blue'] },
      replicas: { type: 'integer', minimum: 0, default: 1 },
      parts: { type: 'array', 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'], items: part },
    },
    'x-kubernetes-validations': [{ rule: 'self.replicas < 10', message: 'fewer than ten, please' }],
  };
  const status = { type: 'object', properties: { phase: { type: 'string' }, replicas: { type: 'integer' } } };
  return {
    type: 'object',
    description: 'Widget is what the shop sells.',
    required: ['spec'],
    properties: { spec, status },
  };
}

interface Part {
  readonly name: string;
  readonly count?: number;
}

export interface WidgetSpec {
  readonly colour?: string;
  readonly replicas?: number;
  readonly parts?: readonly Part[];
}

export interface Widget {
  readonly metadata: { readonly name: string; readonly generation: number };
  readonly spec: WidgetSpec;
  readonly status?: { readonly phase?: string };
}

/** The manifest of a widget. `more` may have members that the schema does not have. */
export function widget(name: string, spec: WidgetSpec, more: object = {}): string {
  return JSON.stringify({
    apiVersion: 'shop.example.com/v1',
    kind: 'Widget',
    metadata: { name },
    spec: { ...spec, ...more },
  });
}
