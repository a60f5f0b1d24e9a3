import { z } from 'zod';
import type { DescribedResource, DescribedSubresource } from '../../../registry/openapi/schemas.js';

export const TokenRequestSpec = z
  .object({
    audiences: z.array(z.string()).nullish().describe('Not supported: tokens are for this server alone.'),
    expirationSeconds: z
      .number()
      .int()
      .nullish()
      .describe('Seconds that the token is good for, from 600 to 2^32; an hour unless told otherwise.'),
    boundObjectRef: z.object({}).nullish().describe('Not supported: tokens are bound to their service account.'),
  })
  .meta({ id: 'TokenRequestSpec', description: 'What the token is to be.' });

export const TokenRequestStatus = z
  .strictObject({
    token: z.string().describe('The token; empty in a dry run.'),
    expirationTimestamp: z.iso.datetime().describe('When the token ends.'),
  })
  .meta({ id: 'TokenRequestStatus', description: 'The token.' });

/** The subresource that `kubectl create token` calls. */
export const TOKEN: DescribedSubresource = {
  name: 'token',
  kind: {
    group: 'authentication.k8s.io',
    version: 'v1',
    kind: 'TokenRequest',
    description: 'TokenRequest asks for a token of a service account.',
    spec: TokenRequestSpec,
    status: TokenRequestStatus,
  },
  verbs: ['create'],
};

/** The path at which Kubernetes clients request tokens. The accounts themselves are not in the core group. */
export const CORE_SERVICE_ACCOUNTS: DescribedResource = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  resource: 'serviceaccounts',
  singular: 'serviceaccount',
  scope: 'Namespaced',
  verbs: [],
  description: 'ServiceAccount is a program that calls the server with tokens.',
  subresources: [TOKEN],
};
