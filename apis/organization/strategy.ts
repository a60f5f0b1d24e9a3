import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { OrganizationSpec } from './kind.js';

export function organizationStrategy(_environment: KindEnvironment): Strategy<OrganizationSpec> {
  return {};
}
