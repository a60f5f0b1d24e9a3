import { z } from 'zod';
import { arrayOf } from '../../../pkg/kube/meta/bounded.js';
import { ulidGenerator } from '../../../pkg/kube/meta/ulid.js';
import { invalid } from '../../../pkg/kube/status/errors.js';
import type { StatusCause } from '../../../pkg/kube/status/status.js';
import { defineSubresource, type SubresourceBodyCall } from '../../../registry/client/define-subresource.js';
import type { Subresource } from '../../../registry/kinds/subresource.js';
import { timestamp } from '../../../registry/write/metadata.js';
import type { ApisEnvironment } from '../../environment.js';
import { drawToken, REQUESTED_TOKEN } from '../../internal/token/issue.js';
import type { TokenSpec } from '../../internal/token/schema.js';
import type { ServiceAccountSpec } from './schema.js';

/** Kubernetes' bounds, in seconds: others are refused. */
const LEAST_SECONDS = 600;
const MOST_SECONDS = 2 ** 32;
const DEFAULT_SECONDS = 3600;
/** Longer durations are shortened to a year, or to the maximum lifetime of tokens. */
const YEAR_SECONDS = 365 * 86_400;

const GROUP = 'authentication.k8s.io';

const TokenRequestSpec = z
  .strictObject({
    audiences: arrayOf(z.string(), 100).optional().describe('Not supported: tokens are for this server alone.'),
    expirationSeconds: z
      .number()
      .int()
      .optional()
      .describe(
        'Seconds that the token is good for, from 600; an hour unless told otherwise. At most a year: longer durations are shortened.',
      ),
    boundObjectRef: z.looseObject({}).nullish().describe('Not supported: tokens are bound to their service account.'),
  })
  .meta({ id: 'TokenRequestSpec', description: 'What the token is to be.' });

export const TokenRequestStatus = z
  .strictObject({
    token: z.string().describe('The token; empty in a dry run.'),
    expirationTimestamp: z.iso.datetime().describe('When the token ends.'),
  })
  .meta({ id: 'TokenRequestStatus', description: 'The token.' });

const TokenRequestBody = z.object({ spec: TokenRequestSpec.default({}) });
const TokenRequestAnswer = z.object({
  spec: TokenRequestSpec.describe('What is asked.'),
  status: TokenRequestStatus.describe('What is answered.'),
});

/**
 * `kubectl create token`: a new token for a service account, valid for an hour unless the request says otherwise.
 * Durations that are too long are shortened, as by kube-apiserver's `--service-account-max-token-expiration`.
 */
export function tokenSubresource({ maxTokenLifetime = Number.POSITIVE_INFINITY }: ApisEnvironment): Subresource {
  const limit = Math.min(YEAR_SECONDS, Math.floor(maxTokenLifetime / 1000));
  return defineSubresource({
    name: 'token',
    kind: {
      group: GROUP,
      version: 'v1',
      kind: 'TokenRequest',
      description: 'TokenRequest asks for a token of a service account.',
      body: TokenRequestBody,
      answer: TokenRequestAnswer,
    },
    verbs: { create: (call: Call) => requestToken(call, limit) },
    // The clients of Kubernetes request tokens in the core group.
    aliases: [{ group: '', version: 'v1' }],
  });
}

type Call = SubresourceBodyCall<ServiceAccountSpec, z.output<typeof TokenRequestBody>>;
type Answer = z.output<typeof TokenRequestAnswer> & { readonly metadata: { readonly creationTimestamp: string } };

const newName = ulidGenerator();

async function requestToken({ object, body, isDryRun, now, transact }: Call, limit: number): Promise<Answer> {
  const { name: account, namespace } = object.metadata;
  check(account, body.spec);
  const seconds = Math.min(body.spec.expirationSeconds ?? DEFAULT_SECONDS, limit);
  const issuedAt = now();
  const expires = issuedAt + seconds * 1000;
  const name = `${REQUESTED_TOKEN}${newName()}`;
  const token = drawToken({ name, account, title: name, expires });
  await transact(({ transaction }) => {
    const kind = transaction.registry.compiled.get('internal/Token');
    transaction.objects<TokenSpec>(kind, namespace).create(token.object);
  });
  return {
    metadata: { creationTimestamp: timestamp(issuedAt) },
    spec: { audiences: [], expirationSeconds: seconds, boundObjectRef: null },
    status: { token: isDryRun ? '' : token.text, expirationTimestamp: timestamp(expires) },
  };
}

function check(account: string, spec: z.output<typeof TokenRequestSpec>): void {
  const causes = [...unsupported(spec), ...durationCauses(spec.expirationSeconds ?? DEFAULT_SECONDS)];
  if (causes.length > 0) throw invalid({ group: GROUP, kind: 'TokenRequest' }, account, causes);
}

function unsupported({ audiences, boundObjectRef }: z.output<typeof TokenRequestSpec>): readonly StatusCause[] {
  return [
    ...(audiences?.length ? [forbidden('spec.audiences', 'tokens are for this server alone')] : []),
    ...(boundObjectRef == null
      ? []
      : [forbidden('spec.boundObjectRef', 'tokens cannot be bound to an object other than their service account')]),
  ];
}

function durationCauses(seconds: number): readonly StatusCause[] {
  if (seconds >= LEAST_SECONDS && seconds <= MOST_SECONDS) return [];
  const why = seconds < LEAST_SECONDS ? 'less than 10 minutes' : 'larger than 2^32 seconds';
  const message = `Invalid value: ${seconds}: may not specify a duration ${why}`;
  return [{ reason: 'FieldValueInvalid', message, field: 'spec.expirationSeconds' }];
}

function forbidden(field: string, why: string): StatusCause {
  return { reason: 'FieldValueForbidden', message: `Forbidden: ${why}`, field };
}
