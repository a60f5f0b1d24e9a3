import { z } from 'zod';
import { defineKind, type Kind, type KindEnvironment } from '../../../registry/kind.js';

/**
 * No definition ever exists, because the kinds of this server are compiled in. The Kubernetes provider of Terraform and OpenTofu lists the
 * definitions before it plans, and fails without this list. k9s lists them again and again, and logs an error each time.
 */
export function customResourceDefinition(environment: KindEnvironment): Kind {
  return defineKind(environment, {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    kind: 'CustomResourceDefinition',
    resource: 'customresourcedefinitions',
    singular: 'customresourcedefinition',
    shortNames: ['crd', 'crds'],
    scope: 'Cluster',
    description: 'CustomResourceDefinition is here so that clients find the list empty. There are no custom kinds.',
    spec: z.strictObject({}).meta({ id: 'CustomResourceDefinitionSpec' }),
    isReadOnly: true,
    permissions: { get: [], create: [], update: [], delete: [], scopes: () => [] },
  });
}
