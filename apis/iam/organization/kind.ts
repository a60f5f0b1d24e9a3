import { fold } from '../../../pkg/kube/meta/fold.js';
import { column, uidAndIdScopes } from '../../../registry/kinds/fields.js';
import { defineKind, type Kind, type KindEnvironment, type Permissions } from '../../../registry/kinds/kind.js';
import { organizationKey } from '../active-organization.js';
import { BY_TITLE, OrganizationSpec } from './schema.js';
import { organizationStrategy } from './strategy.js';

/** Callers may read the organization that they work in. */
function isOwnOrganization(domain: string): NonNullable<Permissions['allowSelf']> {
  return ({ metadata }, { extra }, verb) =>
    verb === 'get' && (extra[organizationKey(domain)] ?? []).includes(metadata.name);
}

/** The permissions on organizations, and on their namespaces. */
export function organizationPermissions({ domain }: KindEnvironment): Permissions {
  return {
    get: ['orgs:read'],
    create: ['orgs:create'],
    update: ['orgs:write'],
    delete: ['orgs:delete'],
    scopes: uidAndIdScopes('orgs', domain),
    allowSelf: isOwnOrganization(domain),
  };
}

export function organization(environment: KindEnvironment): Kind<OrganizationSpec> {
  return defineKind<OrganizationSpec>(environment, {
    identity: {
      group: 'iam',
      version: 'v1beta1',
      kind: 'Organization',
      resource: 'organizations',
      singular: 'organization',
      shortNames: ['org', 'orgs'],
      scope: 'Cluster',
      description: 'Organization keeps objects apart from those of other organizations: it is a namespace.',
      spec: OrganizationSpec,
      names: {
        maxLength: 63,
        pattern: /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/,
        patternMessage:
          'must be a DNS label: lower case letters, digits and "-", beginning and ending with a letter or digit',
      },
    },
    storage: {
      indexers: { [BY_TITLE]: ({ spec }) => [[fold((spec as OrganizationSpec).title)]] },
      uniques: { [BY_TITLE]: { field: 'spec.title', message: 'another organization has this title' } },
      internalId: true,
      nameOf: (id) => `org-${id}`,
      isNamespace: true,
    },
    access: { permissions: organizationPermissions(environment) },
    serving: {
      columns: [column<OrganizationSpec>('Title', 'Name shown to people', ({ title }) => title)],
    },
    strategy: organizationStrategy(environment),
  });
}
