import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { PreferencesSpec } from './kind.js';

export function preferencesStrategy(_environment: KindEnvironment): Strategy<PreferencesSpec> {
  return {};
}
