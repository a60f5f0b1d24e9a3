import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { RoleSpec } from './kind.js';

export function roleStrategy(_environment: KindEnvironment): Strategy<RoleSpec> {
  return {};
}
