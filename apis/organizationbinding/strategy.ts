import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { OrganizationBindingSpec } from './kind.js';

export function organizationBindingStrategy(_environment: KindEnvironment): Strategy<OrganizationBindingSpec> {
  return {};
}
