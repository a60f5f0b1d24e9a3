import type { KindEnvironment } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';
import type { FolderSpec } from './kind.js';

export function folderStrategy(_environment: KindEnvironment): Strategy<FolderSpec> {
  return {};
}
