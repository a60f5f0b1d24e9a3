import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { UserSpec } from './kind.js';

export function userStrategy(_environment: KindEnvironment): Strategy<UserSpec> {
  return {};
}
