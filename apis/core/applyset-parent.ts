import { z } from 'zod';
import { recordOf } from '../../pkg/meta/bounded.js';
import type { KubeObject } from '../../pkg/meta/types.js';
import type { StatusCause } from '../../pkg/status/status.js';
import type { KindDefinition, Permissions } from '../../registry/kind.js';
import type { Strategy } from '../../registry/strategy.js';

/** A member that Kubernetes has for data. It is known, so that a refusal can tell why there is none here. */
export const dataMember = (description: string) =>
  recordOf(z.string(), 1000).optional().describe(`${description} Must be empty: this server keeps no data in it.`);

/**
 * What Secrets and ConfigMaps share. `kubectl apply --applyset` needs one of them as the parent of a set, which is all in its metadata. They
 * hold no data, so that this does not become a place where secrets lie unencrypted.
 */
export function applySetParent<Member extends string>(resource: string, dataMembers: readonly Member[]) {
  return {
    group: '',
    version: 'v1',
    resource,
    scope: 'Namespaced',
    // kubectl prunes by what a parent says, so no role below Admin may write it.
    permissions: permissionsOf(resource),
    acceptsStrategicMerge: true,
    strategy: withoutData(dataMembers),
  } as const satisfies Partial<KindDefinition>;
}

function permissionsOf(resource: string): Permissions {
  return {
    get: [`${resource}:read`],
    create: [`${resource}:create`],
    update: [`${resource}:write`],
    delete: [`${resource}:delete`],
    scopes: ({ metadata }) => [`${resource}:uid:${metadata.name}`],
  };
}

function withoutData(members: readonly string[]): Strategy {
  return { validate: (object) => members.filter((member) => !isEmpty(object, member)).map(refusal) };
}

function isEmpty(object: KubeObject, member: string): boolean {
  const value = (object as unknown as Readonly<Record<string, object | undefined>>)[member];
  return value === undefined || Object.keys(value).length === 0;
}

const refusal = (field: string): StatusCause => ({ reason: 'FieldValueForbidden', message: REFUSAL, field });

const REFUSAL =
  'Forbidden: this server keeps no data in Secrets and ConfigMaps. They are only parents of apply sets (kubectl apply --applyset)';
