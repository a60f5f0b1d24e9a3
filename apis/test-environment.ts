import type { ApisEnvironment, Features } from './environment.js';
import { ACCESS } from './kinds.js';

const FEATURES: Features = { nestedFolders: true, alerting: true, queryHistory: true, maxFolderDepth: 4 };

/** The environment of a server with all features, or with other ones. */
export function environmentWith(
  features: Partial<Features> = {},
  more: Partial<ApisEnvironment> = {},
): ApisEnvironment {
  return {
    domain: 'svc.app',
    access: ACCESS,
    features: { ...FEATURES, ...features },
    compatibility: 'specification',
    passwords: { minLength: 4, refusesCommon: true },
    signOn: { configured: {}, secretKey: () => 'key' },
    queryHistoryRetention: 1000,
    ...more,
  };
}
