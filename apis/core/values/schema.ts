import { z } from 'zod';
import { recordOf } from '../../../pkg/kube/meta/bounded.js';
import type { Permissions } from '../../../registry/kinds/kind.js';

const MOST_KEYS = 5000;
/** Longer than `MOST_BYTES` allows, so that Kubernetes' own rule answers. */
const LONGEST = 3 * 2 ** 20;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

export const texts = (description: string) =>
  recordOf(z.string().max(LONGEST), MOST_KEYS).optional().describe(description);

/** Bytes in base64. The type of OpenAPI is that of Kubernetes. */
export const bytes = (description: string) =>
  recordOf(z.string().max(LONGEST).regex(BASE64, 'must be base64').meta({ format: 'byte' }), MOST_KEYS)
    .optional()
    .describe(description);

export const immutable = () =>
  z.boolean().optional().describe('If true, neither the data nor this can be changed any more.');

/** The permissions on Secrets or ConfigMaps. */
export function permissionsOf(resource: string): Permissions {
  return {
    get: [`${resource}:read`],
    create: [`${resource}:create`],
    update: [`${resource}:write`],
    delete: [`${resource}:delete`],
    scopes: ({ metadata }) => [`${resource}:uid:${metadata.name}`],
  };
}

/** The same bytes in the form in which Go writes them, so that equal values are equal texts. */
export function normalized(
  values: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  if (values === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, Buffer.from(value, 'base64').toString('base64')]),
  );
}
