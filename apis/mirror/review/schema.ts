import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { groupName } from '../../../registry/kinds/kind.js';
import type { DescribedResource } from '../../../registry/openapi/schemas.js';
import { MirrorSpec } from '../mirror/schema.js';

const Credential = z
  .strictObject({
    secret: MirrorSpec.shape.credential.shape.secret.optional().describe('Name of a Secret that the caller may read.'),
    token: z.string().min(1).max(8192).optional().describe('A token that is in no Secret yet. No answer has it.'),
  })
  .refine(({ secret, token }) => (secret === undefined) !== (token === undefined), 'must have either secret or token')
  .meta({ id: 'MirrorReviewCredential', description: 'With what the other server is asked.' });

export const MirrorReviewSpec = z
  .strictObject({
    address: MirrorSpec.shape.address,
    credential: Credential.describe('With what the other server is asked.'),
    organization: MirrorSpec.shape.organization,
    permissions: MirrorSpec.shape.permissions,
    teams: MirrorSpec.shape.teams,
    preferences: MirrorSpec.shape.preferences,
  })
  .meta({ id: 'MirrorReviewSpec', description: 'The members of a mirror that its connection depends on.' });
export type MirrorReviewSpec = z.infer<typeof MirrorReviewSpec>;

const Check = z
  .strictObject({
    name: z
      .enum(['address', 'server', 'credential', 'reading', 'writing'])
      .describe('What was tested. What follows a test that failed is left out, if it depends on it.'),
    ok: z.boolean().describe('Whether it suffices for a mirror.'),
    message: z.string().describe('For people. It contains nothing of the credential.'),
  })
  .meta({ id: 'MirrorReviewCheck', description: 'One thing that was tested.' });
export type MirrorCheckResult = z.infer<typeof Check>;

export const MirrorReviewStatus = z
  .strictObject({
    checks: arrayOf(Check, 10).describe('What was tested, in order.'),
    version: z.string().optional().describe('The version of the other server.'),
    organization: z.string().optional().describe('The name of the organization there.'),
    folders: z.int().optional().describe('How many folders the credential finds there.'),
    moreFolders: z.boolean().optional().describe('There are more folders than that.'),
    writable: z.boolean().optional().describe('Whether the credential may create folders and dashboards.'),
  })
  .meta({ id: 'MirrorReviewStatus', description: 'What was found.' });
export type MirrorReviewStatus = z.infer<typeof MirrorReviewStatus>;

export function mirrorReview(domain: string): DescribedResource {
  return {
    group: groupName('mirror', domain),
    version: 'v1beta1',
    kind: 'MirrorReview',
    resource: 'mirrorreviews',
    singular: 'mirrorreview',
    scope: 'Namespaced',
    verbs: ['create'],
    description:
      'MirrorReview tests whether a mirror could work, before it is made. It changes nothing on the other server. For those who may create mirrors.',
    spec: MirrorReviewSpec,
    status: MirrorReviewStatus,
  };
}
