import { z } from 'zod';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import {
  badRequestData,
  type ErrorRule,
  plainFailure,
  requireAction,
  structured,
} from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import type { IamServices } from '../../legacy/services.js';
import type { ServiceAccountSpec } from '../schema.js';
import { NEW_TOKEN, TOKENS } from './answers.js';
import { ACCOUNT_ANSWERED, tokenDto } from './dto.js';
import { accountOfPath } from './lookup.js';
import { ACCOUNT_NOTES } from './notes.js';

const CreateBody = z.object({ name: z.string(), secondsToLive: z.int().nullish() });

/** 100 years in seconds. The dates of JavaScript end later. */
const LONGEST = 100 * 365 * 86_400;

const ERRORS: readonly ErrorRule[] = [
  {
    field: 'spec.title',
    cause: 'FieldValueDuplicate',
    status: 400,
    body: structured(
      400,
      'serviceaccounts.ErrTokenAlreadyExists',
      'service account token with given name already exists in the organization',
    ),
  },
  {
    field: 'spec.expires',
    status: 400,
    body: { message: 'Number of seconds before expiration is greater than the limit' },
  },
  { code: 404, status: 404, body: { message: 'service account token not found' } },
];

/**
 * `/api/serviceaccounts/:id/tokens`. Callers need the permission to change the account. No permission grants access to
 * tokens as objects.
 */
export function tokenRoutes(services: IamServices): readonly LegacyRoute[] {
  const { tokens } = services;
  const list: LegacyHandler = (call) => {
    const accounts = call.objects<ServiceAccountSpec>('iam/ServiceAccount');
    requireAction(accounts, 'serviceaccounts:read');
    const account = /^[0-9]{1,15}$/.test(call.param('id'))
      ? accounts.findById(call.id('id'))
      : accountOfPath(call, 'get');
    if (account === undefined) return ok([]);
    accounts.getFor('get', account.metadata.name);
    const all = tokens.list(call.organization.namespace, account.metadata.name);
    return ok(all.map((token) => tokenDto(call, token)));
  };
  const issue: LegacyHandler = async (call) => {
    const account = accountOfPath(call, 'update');
    const { name, secondsToLive } = call.body(CreateBody);
    const title = name.trim();
    if (title === '') throw badRequestData(undefined, 'name: must not be empty');
    const { text, token } = await tokens.issue(
      { namespace: call.organization.namespace, account: account.metadata.name, title, ...expiry(call, secondsToLive) },
      call.request,
    );
    return ok({ id: call.objects('internal/Token').idOf(token), name: title, key: text });
  };
  const remove: LegacyHandler = async (call) => {
    const { namespace } = call.organization;
    const account = accountOfPath(call, 'update');
    const id = call.id('tokenId');
    const token = tokens
      .list(namespace, account.metadata.name)
      .find((candidate) => call.objects('internal/Token').idOf(candidate) === id);
    if (token === undefined) throw plainFailure(404, 'service account token not found');
    await tokens.remove(namespace, token.metadata.name, call.request);
    return done('Service account token deleted');
  };
  return routes(
    {
      notes: ACCOUNT_NOTES,
      errors: ERRORS,
      fallback: 'Failed to update service account token',
      answerMembers: ACCOUNT_ANSWERED,
    },
    {
      'GET /serviceaccounts/:id/tokens': {
        answer: TOKENS,
        summary: 'Lists the tokens of a service account',
        handle: list,
      },
      'POST /serviceaccounts/:id/tokens': {
        answer: NEW_TOKEN,
        summary: 'Creates a token of a service account',
        body: CreateBody,
        handle: issue,
      },
      'DELETE /serviceaccounts/:id/tokens/:tokenId': {
        summary: 'Deletes a token of a service account',
        handle: remove,
      },
    },
  );
}

/** The expiry. 0 and null mean that the token does not expire, unless there is a maximum lifetime. */
function expiry(call: LegacyCall, secondsToLive: number | null | undefined): { readonly expires?: number } {
  if (secondsToLive == null || secondsToLive === 0) return {};
  if (secondsToLive < 0 || secondsToLive > LONGEST)
    throw plainFailure(400, 'Number of seconds before expiration is invalid');
  return { expires: call.now() + secondsToLive * 1000 };
}
