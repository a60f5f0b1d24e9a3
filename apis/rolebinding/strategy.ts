import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { RoleBindingSpec } from './kind.js';

export function roleBindingStrategy(_environment: KindEnvironment): Strategy<RoleBindingSpec> {
  return {};
}
