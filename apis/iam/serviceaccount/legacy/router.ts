import { z } from 'zod';
import { ulidGenerator } from '../../../../pkg/kube/meta/ulid.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { badRequestData, type ErrorRule, requireAction, structured } from '../../../../registry/legacy/errors.js';
import { deleted, done, legacyJson, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import { DEFAULT_GRANT, GRANT } from '../../creator.js';
import { roleNamed } from '../../legacy/roles.js';
import type { IamServices } from '../../legacy/services.js';
import { accessControlRoutes } from '../../rolebinding/legacy/access-control.js';
import type { ServiceAccountSpec } from '../schema.js';
import { ACCOUNT, ACCOUNT_CHANGED, ACCOUNT_PAGE } from './answers.js';
import { ACCOUNT_ANSWERED, type Account, accountDto } from './dto.js';
import { accountOfPath } from './lookup.js';
import { ACCOUNT_NOTES } from './notes.js';
import { ACCOUNT_PLACE } from './place.js';
import { searchAccounts, tokensOf } from './search.js';
import { tokenRoutes } from './tokens.js';

const CreateBody = z.object({ name: z.string(), role: z.string().nullish(), isDisabled: z.boolean().nullish() });
const ChangeBody = z.object({
  name: z.string().nullish(),
  role: z.string().nullish(),
  isDisabled: z.boolean().nullish(),
  serviceAccountId: z.unknown().optional(),
});

const newUid = ulidGenerator();

const NOT_FOUND = structured(404, 'serviceaccounts.ErrNotFound', 'service account not found');

const ACCOUNT_ERRORS: readonly ErrorRule[] = [
  {
    field: 'spec.title',
    cause: 'FieldValueDuplicate',
    status: 400,
    body: structured(400, 'serviceaccounts.ErrAlreadyExists', 'service account already exists'),
  },
  {
    field: 'spec.role',
    status: 400,
    body: structured(400, 'serviceaccounts.ErrInvalidRoleValue', 'invalid role value'),
  },
  { code: 404, status: 404, body: NOT_FOUND },
];

const OPTIONS = {
  notes: ACCOUNT_NOTES,
  errors: ACCOUNT_ERRORS,
  fallback: 'Failed to update service account',
  answerMembers: ACCOUNT_ANSWERED,
};

/** `/api/serviceaccounts`. */
export function serviceAccountRouter(services: IamServices): LegacyRouter {
  const dto = (call: LegacyCall, account: Account) =>
    accountDto(call, account, tokensOf(services, call, account).length);
  const create: LegacyHandler = async (call) => {
    const accounts = call.objects<ServiceAccountSpec>('iam/ServiceAccount');
    requireAction(accounts, 'serviceaccounts:create');
    const { name, role, isDisabled } = call.body(CreateBody);
    if (name.trim() === '') throw badRequestData(undefined, 'name: must not be empty');
    // The schema checks the role.
    const spec = {
      title: name,
      role: roleNamed(role || 'Viewer'),
      disabled: isDisabled ?? false,
    } as ServiceAccountSpec;
    const annotations = { [`${accounts.kind.domain}/${GRANT}`]: DEFAULT_GRANT };
    const account = await accounts.create({ metadata: { name: newUid(), annotations }, spec });
    return legacyJson(201, dto(call, account as Account));
  };
  const change: LegacyHandler = async (call) => {
    const account = accountOfPath(call, 'update');
    const { metadata } = account;
    const id = call.objects('iam/ServiceAccount').idOf(account);
    const { name, role, isDisabled } = call.body(ChangeBody, { id, uid: metadata.name, serviceAccountId: id });
    const changes = {
      ...(name?.trim() && { title: name }),
      ...(role && { role: roleNamed(role) }),
      ...(isDisabled != null && { disabled: isDisabled }),
    };
    const changed = await call
      .objects<ServiceAccountSpec>('iam/ServiceAccount')
      .update(metadata.name, (old) => ({ ...old, spec: { ...old.spec, ...changes } as ServiceAccountSpec }));
    const serviceaccount = dto(call, changed as Account);
    call.keeps({ login: serviceaccount['login'], orgId: call.organization.id });
    return done('Service account updated', {
      id: serviceaccount['id'],
      uid: metadata.name,
      name: serviceaccount['name'],
      serviceaccount,
    });
  };
  return legacyRouter(
    services,
    routes(OPTIONS, {
      'GET /serviceaccounts/search': {
        answer: ACCOUNT_PAGE,
        summary: 'Searches service accounts',
        query: ['query', 'disabled', 'expiredTokens', 'page', 'perpage'],
        handle: (call) => ok(searchAccounts(services, call)),
      },
      'POST /serviceaccounts': {
        answer: ACCOUNT,
        summary: 'Creates a service account',
        body: CreateBody,
        handle: create,
      },
      'GET /serviceaccounts/:id': {
        single: true,
        answer: ACCOUNT,
        summary: 'Reads a service account',
        handle: (call) => ok(dto(call, accountOfPath(call, 'get'))),
      },
      'PATCH /serviceaccounts/:id': {
        answer: ACCOUNT_CHANGED,
        summary: 'Changes a service account',
        body: ChangeBody,
        handle: change,
      },
      'DELETE /serviceaccounts/:id': { summary: 'Deletes a service account', handle: remove },
    }),
    tokenRoutes(services),
    accessControlRoutes(ACCOUNT_PLACE),
  );
}

const remove: LegacyHandler = async (call) => {
  const account = await call.objects('iam/ServiceAccount').delete(accountOfPath(call, 'delete').metadata.name);
  return deleted(account, 'Service account deleted');
};
