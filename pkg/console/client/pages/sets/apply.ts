import { ApiError, call } from '../../lib/api.js';
import { objectPath } from '../../lib/discovery.js';
import type { Manifest } from './manifests.js';
import { placedWords } from './places.js';
import { setsResource } from './sets.js';

export type Action = 'created' | 'configured' | 'unchanged' | 'pruned' | 'conflict';

export interface FieldChange {
  readonly path: string;
  readonly from?: unknown;
  readonly to?: unknown;
}

/** The action of an apply on one object. */
export interface Planned {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
  readonly action: Action;
  readonly diff?: readonly FieldChange[];
  readonly message?: string;
}

export interface Outcome {
  /** Absent after a dry run. */
  readonly resourceVersion?: string;
  readonly plan: readonly Planned[];
  /** What the server says beside the plan, such as who gains access by it. */
  readonly warnings: readonly string[];
  /** The titles of the manifests, by metadata.name. Objects that are made are nowhere else yet. */
  readonly titles: ReadonlyMap<string, string>;
}

export interface ApplyRequest {
  readonly namespace: string;
  readonly set: string;
  readonly manifests: readonly Manifest[];
  readonly prune: boolean;
  readonly force: boolean;
  readonly isDryRun: boolean;
}

/**
 * Plans or applies the manifests as the members of a set. Throws ApiError with the places in the text in its message.
 */
export async function apply(request: ApplyRequest): Promise<Outcome> {
  const { namespace, set, manifests, prune, force, isDryRun } = request;
  const resource = setsResource();
  if (resource === undefined) throw new Error('The server has no apply sets, or you may not see them.');
  const body = {
    apiVersion: `${resource.group}/${resource.version}`,
    kind: 'ApplyRequest',
    spec: { objects: manifests.map(({ object }) => object), prune: { enabled: prune } },
  };
  const query = { fieldValidation: 'Strict', force, dryRun: isDryRun ? 'All' : undefined };
  try {
    const answer = await call<{ readonly status: Omit<Outcome, 'warnings' | 'titles'> }>(
      'POST',
      `${objectPath(resource, namespace, set)}/apply`,
      {
        body,
        query,
      },
    );
    return { ...answer.body.status, warnings: answer.warnings, titles: titlesIn(manifests) };
  } catch (error) {
    throw error instanceof ApiError ? placed(error, manifests) : error;
  }
}

function titlesIn(manifests: readonly Manifest[]): ReadonlyMap<string, string> {
  const titles = new Map<string, string>();
  for (const { object } of manifests) {
    const { metadata, spec } = object as {
      readonly metadata?: { name?: unknown };
      readonly spec?: { title?: unknown };
    };
    if (typeof metadata?.name === 'string' && typeof spec?.title === 'string') titles.set(metadata.name, spec.title);
  }
  return titles;
}

/** Replaces the indexes in the request by the places in the text. */
function placed({ code, message, reason, causes }: ApiError, manifests: readonly Manifest[]): ApiError {
  const placedCauses = causes.map((cause) => ({
    ...cause,
    message: placedWords(cause.message, manifests, cause.field),
  }));
  return new ApiError(code, placedWords(message, manifests), reason, placedCauses);
}

const MEMBERSHIP = 'metadata.labels[applyset.kubernetes.io/part-of]';

/** Whether an existing object becomes a member, and nothing else about it changes. */
export function isAdopted({ action, diff = [] }: Planned): boolean {
  const [only, ...more] = diff;
  return action === 'configured' && more.length === 0 && only?.path === MEMBERSHIP && only.from === undefined;
}
