import { createHash } from 'node:crypto';
import { builtInConventions } from '../../../registry/kinds/conventions.js';
import { defineKind, type Kind } from '../../../registry/kinds/kind.js';
import type { ApisEnvironment } from '../../environment.js';
import { contentOf, type DefinitionObject } from '../customresource/conditions.js';
import { BUILT_IN, CLEANUP_FINALIZER, WORDS } from '../names.js';
import { BY_NAME, BY_PENDING, nameTuples, pendingTuples } from './names.js';
import { CustomResourceDefinitionSpec, CustomResourceDefinitionStatus } from './schema.js';
import { type BuiltIn, definitionStrategy } from './strategy.js';

/**
 * Kubernetes' definitions of custom kinds (docs/adr/0052). The kinds of a server follow from the definitions in its
 * state.
 */
export function customResourceDefinition(environment: ApisEnvironment, builtIn: BuiltIn = () => []): Kind {
  return defineKind<CustomResourceDefinitionSpec>(environment, {
    identity: {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      kind: 'CustomResourceDefinition',
      resource: 'customresourcedefinitions',
      singular: 'customresourcedefinition',
      shortNames: ['crd', 'crds'],
      categories: ['api-extensions'],
      scope: 'Cluster',
      description:
        'CustomResourceDefinition defines a kind, whose objects are then served at the path /apis/<group>/<version>/.',
      spec: CustomResourceDefinitionSpec,
      status: CustomResourceDefinitionStatus,
    },
    storage: {
      ownKeys: [...Object.values(WORDS), BUILT_IN],
      indexers: { [BY_NAME]: nameTuples, [BY_PENDING]: pendingTuples },
      cleanup: CLEANUP_FINALIZER,
    },
    access: {
      // A caller who defines kinds decides what all organizations can store, so this needs a grant of its own.
      permissions: {
        get: ['customresourcedefinitions:read'],
        create: ['customresourcedefinitions:create'],
        update: ['customresourcedefinitions:write'],
        delete: ['customresourcedefinitions:delete'],
        scopes: ({ metadata }) => [`customresourcedefinitions:uid:${metadata.name}`],
      },
    },
    serving: {
      columns: [
        {
          name: 'Created At',
          type: 'date',
          // As in Kubernetes, the time is printed, and not the age.
          isPrinted: true,
          description: 'When the definition was created',
          priority: 0,
          cell: ({ metadata }) => metadata.creationTimestamp ?? null,
        },
      ],
      hasOwnAge: true,
      // Two definitions with the same summary define the same kinds (registry/kinds/kind-set.ts).
      summary: (object) =>
        createHash('sha256')
          .update(contentOf(object as DefinitionObject))
          .digest('base64'),
      conventions: builtInConventions,
      acceptsStrategicMerge: true,
    },
    strategy: definitionStrategy(environment, builtIn),
  });
}
