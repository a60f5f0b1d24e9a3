import type { Handler } from './handler.js';
import { jsonResponse } from './json.js';
import { readOnly } from './negotiation/document.js';

/**
 * The Kubernetes release whose behaviour this server follows (docs/wire-contract.md). kubectl compares its minor
 * version with it.
 */
const KUBERNETES = { major: '1', minor: '37' };

/** Kubernetes' version.Info. */
export function versionHandler(version: string, domain: string): Handler {
  const suffix = domain.replaceAll(/[^0-9A-Za-z-]/g, '-');
  const info = {
    ...KUBERNETES,
    gitVersion: `v${KUBERNETES.major}.${KUBERNETES.minor}.0+${suffix}-${version.replaceAll(/[^0-9A-Za-z-]/g, '-')}`,
    gitCommit: '',
    gitTreeState: 'clean',
    buildDate: '1970-01-01T00:00:00Z',
    goVersion: '',
    compiler: 'node',
    platform: `${process.platform}/${process.arch}`,
  };
  return readOnly((request) => jsonResponse(request, 200, info));
}
