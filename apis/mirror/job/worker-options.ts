import type { KubeObject } from '../../../pkg/kube/meta/types.js';
import type { Client } from '../../../registry/client/client.js';
import type { MirrorSpec } from '../mirror/schema.js';
import type { Resources } from './resources.js';
import type { Target } from './target.js';

export interface WorkerOptions {
  readonly client: Client;
  readonly resources: Resources;
  readonly domain: string;
  readonly mirror: KubeObject<MirrorSpec> & { readonly spec: MirrorSpec };
  readonly target: Target;
  /** Takes all changes up to the newest state, and tells the workers of them. */
  readonly catchUp: () => void;
  readonly signal: AbortSignal;
  /** Whether no other server keeps the mirror. */
  readonly isElected: () => boolean;
  readonly onError: (error: unknown) => void;
}
