import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { TeamBindingSpec } from './kind.js';

export function teamBindingStrategy(_environment: KindEnvironment): Strategy<TeamBindingSpec> {
  return {};
}
