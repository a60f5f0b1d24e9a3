import { forbidden } from '../../../pkg/kube/status/errors.js';
import { groupName, type KindEnvironment } from '../../../registry/kinds/kind.js';
import type { Strategy } from '../../../registry/kinds/strategy.js';
import { DEFAULT_ORGANIZATION } from '../names.js';
import type { OrganizationSpec } from './schema.js';

/** The first organization cannot be deleted, like the namespace `default` in Kubernetes. */
export function organizationStrategy({ domain }: KindEnvironment): Strategy<OrganizationSpec> {
  const gr = { group: groupName('iam', domain), resource: 'organizations' };
  return {
    validateDelete: ({ metadata: { name } }) => {
      if (name === DEFAULT_ORGANIZATION) throw forbidden(gr, name, 'this organization may not be deleted');
    },
  };
}
