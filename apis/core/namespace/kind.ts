import type { KubeObject } from '../../../pkg/meta/types.js';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';
import { uidAndIdScopes } from '../../iam/fields.js';
import { resourceName } from '../../iam/names.js';
import { isOwnOrganization } from '../../iam/organization/kind.js';
import { NamespaceSpec, NamespaceStatus } from './schema.js';

/** Kubernetes' namespaces, for clients that look for them: organizations by another name. */
export function namespace(environment: KindEnvironment): Kind<NamespaceSpec> {
  return defineKind<NamespaceSpec>(environment, {
    group: '',
    version: 'v1',
    kind: 'Namespace',
    resource: 'namespaces',
    singular: 'namespace',
    shortNames: ['ns'],
    scope: 'Cluster',
    description: 'Namespace is an organization, to be read; organizations are written as Organization.',
    spec: NamespaceSpec,
    status: NamespaceStatus,
    selectableFields: { 'status.phase': phaseOf },
    columns: [{ name: 'Status', type: 'string', description: 'Active or Terminating', priority: 0, cell: phaseOf }],
    permissions: {
      get: ['orgs:read'],
      create: ['orgs:create'],
      update: ['orgs:write'],
      delete: ['orgs:delete'],
      scopes: uidAndIdScopes('orgs', environment.domain),
      allowSelf: isOwnOrganization(environment.domain),
    },
    conversion: { storageKind: resourceName('organizations', environment.domain), convert: namespaceFromOrganization },
  });
}

/** Kubernetes gives every namespace this label, so that selectors can name it. */
const NAME_LABEL = 'kubernetes.io/metadata.name';

function phaseOf({ status }: KubeObject): string {
  return (status as NamespaceStatus | undefined)?.phase ?? '';
}

function namespaceFromOrganization({ metadata }: KubeObject): KubeObject<NamespaceSpec, NamespaceStatus> {
  const phase = metadata.deletionTimestamp === undefined ? 'Active' : 'Terminating';
  return {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { ...metadata, labels: { ...metadata.labels, [NAME_LABEL]: metadata.name } },
    // Kubernetes' name for what every namespace has: its contents go first.
    spec: { finalizers: ['kubernetes'] },
    status: { phase },
  };
}
