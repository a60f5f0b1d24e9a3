import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import { builtInConventions } from '../../../registry/kinds/conventions.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kinds/kind.js';
import { resourceName } from '../../../registry/kinds/names.js';
import { ownedKeys } from '../../../registry/kinds/owned-keys.js';
import { organizationPermissions } from '../../iam/organization/kind.js';
import { namespaceOf, organizationOf } from './conversion.js';
import { NamespaceSpec, NamespaceStatus } from './schema.js';
import { adviceOnNamespace } from './strategy.js';

/** Kubernetes' namespaces: organizations by another name (docs/adr/0049). */
export function namespace(environment: KindEnvironment): Kind<NamespaceSpec> {
  const hidden = ownedKeys(environment.domain);
  return defineKind<NamespaceSpec>(environment, {
    identity: {
      group: '',
      version: 'v1',
      kind: 'Namespace',
      resource: 'namespaces',
      singular: 'namespace',
      shortNames: ['ns'],
      scope: 'Cluster',
      description: 'Namespace is an organization: it is made, changed and deleted with it.',
      // As in Kubernetes, clients may leave it out.
      spec: NamespaceSpec.prefault({}),
      status: NamespaceStatus,
    },
    access: { permissions: organizationPermissions(environment), deletesCollections: false },
    serving: {
      selectableFields: { 'status.phase': phaseOf },
      columns: [{ name: 'Status', type: 'string', description: 'Active or Terminating', priority: 0, cell: phaseOf }],
      // kubectl has Namespace in its compiled scheme, so it sends strategic merge patches, whatever OpenAPI says.
      acceptsStrategicMerge: true,
      conventions: builtInConventions,
    },
    versions: {
      conversion: {
        storageKind: resourceName('iam/organizations', environment.domain),
        convert: (object) => namespaceOf(object, hidden),
        restore: (object) => organizationOf(object, environment),
        hiddenDefaults: (name) => ({ spec: { title: name } }),
      },
    },
    strategy: { warnings: adviceOnNamespace },
  });
}

function phaseOf({ status }: KubeObject): string {
  return (status as NamespaceStatus | undefined)?.phase ?? '';
}
