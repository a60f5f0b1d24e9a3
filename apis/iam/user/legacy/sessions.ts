import { z } from 'zod';
import type { ApiResponse } from '../../../../pkg/http/handler.js';
import { cookieOf } from '../../../../pkg/identity/authn/cookies.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { SESSION_COOKIE } from '../../../authentication/session-cookie.js';
import type { Session } from '../../../authentication/sessions.js';
import { currentSession } from '../../../internal/credential-ids.js';
import { time } from '../../legacy/formats.js';
import { caller } from '../../legacy/people.js';
import type { IamServices } from '../../legacy/services.js';
import { ROTATED, SESSIONS } from './answers.js';
import { USER_NOTES } from './notes.js';

export const RevokeBody = z.object({ authTokenId: z.int() });

/** The sessions of a user. `isActive` marks the session of this request. */
export function authTokens(services: IamServices, call: LegacyCall, user: string): readonly unknown[] {
  const current = currentSession(call.user);
  return services.sessions.list(user).map((session) => authToken(call, session, session.metadata.name === current));
}

function authToken(call: LegacyCall, session: Session, isActive: boolean): Readonly<Record<string, unknown>> {
  const { spec } = session;
  const created = time(Date.parse(spec?.createdAt ?? ''));
  return {
    id: idOf(call, session),
    isActive,
    clientIp: spec?.clientIp ?? '',
    device: spec?.device ?? '',
    os: spec?.os ?? '',
    osVersion: spec?.osVersion ?? '',
    browser: spec?.browser ?? '',
    browserVersion: spec?.browserVersion ?? '',
    ...(spec?.authModule !== undefined && { authModule: spec.authModule }),
    createdAt: created,
    seenAt: spec?.seenAt === undefined ? created : time(Date.parse(spec.seenAt)),
  };
}

function idOf(call: LegacyCall, session: Session): number {
  return call.objects('internal/Session').idOf(session);
}

/** Ends a session of a user. Throws 404 if the user has no such session, 400 for the session of this request. */
export async function revokeAuthToken(
  services: IamServices,
  call: LegacyCall,
  user: string,
  id: number,
): Promise<ApiResponse> {
  const session = services.sessions.list(user).find((one) => idOf(call, one) === id);
  if (session === undefined) throw plainFailure(404, 'User auth token not found');
  const { name } = session.metadata;
  if (name === currentSession(call.user)) throw plainFailure(400, 'Cannot revoke active user auth token');
  await services.sessions.close(name, call.request);
  return done('User auth token revoked');
}

export function sessionRoutes(services: IamServices): readonly LegacyRoute[] {
  const { sessions, cookies } = services;
  const rotate: LegacyHandler = async (call) => {
    const secret = cookieOf(call.request.headers['cookie'], SESSION_COOKIE);
    const session = secret === undefined ? undefined : sessions.find(secret)?.session;
    if (secret === undefined || session === undefined) throw plainFailure(401, 'User auth token not found');
    const next = await sessions.rotate(session, secret);
    const isSecure = call.request.client?.isSecure === true;
    return ok({}, next === undefined ? {} : { 'set-cookie': cookies.give(next, isSecure) });
  };
  const revoke: LegacyHandler = (call) => {
    const { metadata } = caller(call);
    return revokeAuthToken(services, call, metadata.name, call.body(RevokeBody).authTokenId);
  };
  return [
    ...routes(
      { notes: USER_NOTES, peopleOnly: 'entity not allowed to get tokens', fallback: 'Failed to get user auth tokens' },
      {
        'GET /user/auth-tokens': {
          answer: SESSIONS,
          summary: 'Lists the sessions of the caller',
          handle: (call) => ok(authTokens(services, call, caller(call).metadata.name)),
        },
      },
    ),
    ...routes(
      {
        notes: USER_NOTES,
        peopleOnly: 'entity not allowed to revoke tokens',
        fallback: 'Failed to revoke user auth token',
      },
      { 'POST /user/revoke-auth-token': { summary: 'Ends a session of the caller', body: RevokeBody, handle: revoke } },
    ),
    ...routes(
      { notes: USER_NOTES, peopleOnly: true, fallback: 'Failed to rotate user auth token' },
      {
        'POST /user/auth-tokens/rotate': {
          answer: ROTATED,
          summary: 'Changes the secret of the session of this request',
          handle: rotate,
        },
      },
    ),
  ];
}
