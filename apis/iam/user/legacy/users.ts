import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { plainFailure, requireAction } from '../../../../registry/legacy/errors.js';
import { done, ok } from '../../../../registry/legacy/respond.js';
import { type LegacyHandler, type LegacyRoute, routes } from '../../../../registry/legacy/router.js';
import { MEMBERSHIPS } from '../../legacy/answers.js';
import { type User, userBy, userNotFound, userOfPath } from '../../legacy/people.js';
import { TEAMS } from '../../team/legacy/answers.js';
import { teamsOfUser } from '../../team/legacy/search.js';
import type { UserSpec } from '../schema.js';
import { USER, USER_PAGE, USERS } from './answers.js';
import { callersRights, changeUser, switchOrganization, UserBody } from './change.js';
import { singleUser, USER_ANSWERED, userOrganizations } from './dto.js';
import { USER_ERRORS } from './errors.js';
import { USER_NOTES } from './notes.js';
import { searchText, searchUsers } from './search.js';

/** The user of the path. Throws 403 for callers without the action on it. */
export function demanded(call: LegacyCall, action: string, parameter = 'id'): User {
  const users = call.objects('iam/User');
  requireAction(users, action);
  const user = userOfPath(call, parameter);
  requireAction(users, action, user);
  return user;
}

const SEARCHED = ['query', 'activeLast30Days', 'page', 'perpage', 'sort'];

/** `/api/users`, for server administrators. */
export function userRoutes(): readonly LegacyRoute[] {
  const get: LegacyHandler = (call) => ok(singleUser(call, demanded(call, 'users:read')));
  const lookup: LegacyHandler = (call) => {
    const users = call.objects('iam/User');
    requireAction(users, 'users:read');
    const text = call.query.get('loginOrEmail') ?? '';
    if (text === '') throw plainFailure(400, 'Query parameter loginOrEmail is required');
    const user = userBy(call, text);
    if (user === undefined) throw userNotFound();
    requireAction(users, 'users:read', user);
    return ok({ ...singleUser(call, user), authLabels: null, avatarUrl: '' });
  };
  const update: LegacyHandler = async (call) => {
    const user = demanded(call, 'users:write');
    await changeUser(call, user, call.body(UserBody), callersRights);
    return done('User updated');
  };
  const using: LegacyHandler = async (call) => {
    const users = call.objects<UserSpec>('iam/User');
    requireAction(users, 'users:write');
    const user = users.findById(call.id('id'));
    if (user === undefined) throw plainFailure(401, 'Unauthorized');
    requireAction(users, 'users:write', user);
    await switchOrganization(call, user as User, call.id('orgId'), callersRights);
    return done('Active organization changed');
  };
  const of = (read: (call: LegacyCall, user: User) => unknown): LegacyHandler => {
    return (call) => ok(read(call, demanded(call, 'users:read')));
  };
  return [
    ...searchRoutes(),
    ...routes(
      { notes: USER_NOTES, errors: USER_ERRORS, peopleOnly: true, fallback: 'Failed to get user' },
      {
        'GET /users/lookup': {
          single: true,
          answer: USER,
          summary: 'Finds a user by login or e-mail address',
          query: ['loginOrEmail'],
          handle: lookup,
        },
        'GET /users/:id': { single: true, answer: USER, summary: 'Reads a user', handle: get },
        'GET /users/:id/orgs': {
          answer: MEMBERSHIPS,
          summary: 'Lists the organizations of a user',
          handle: of((call, { metadata }) => userOrganizations(call, metadata.name)),
        },
        'GET /users/:id/teams': {
          answer: TEAMS,
          summary: 'Lists the teams of a user',
          handle: of((call, { metadata }) => teamsOfUser(call, metadata.name)),
        },
      },
    ),
    ...routes(
      {
        notes: USER_NOTES,
        errors: USER_ERRORS,
        peopleOnly: true,
        fallback: 'Failed to update user',
        answerMembers: USER_ANSWERED,
      },
      {
        'PUT /users/:id': { summary: 'Changes the profile of a user', body: UserBody, handle: update },
        'POST /users/:id/using/:orgId': { summary: 'Changes the active organization of a user', handle: using },
      },
    ),
  ];
}

/** The lists. */
function searchRoutes(): readonly LegacyRoute[] {
  return routes(
    { notes: USER_NOTES, errors: USER_ERRORS, peopleOnly: true, fallback: 'Failed to fetch users' },
    {
      'GET /users': { answer: USERS, summary: 'Lists users', query: SEARCHED, lists: ['sort'], handle: list },
      'GET /users/search': {
        answer: USER_PAGE,
        summary: 'Searches users',
        query: SEARCHED,
        lists: ['sort'],
        handle: search,
      },
    },
  );
}

const list: LegacyHandler = (call) => {
  requireAction(call.objects('iam/User'), 'users:read');
  return ok(searchUsers(call, searchText(call)).users);
};

const search: LegacyHandler = (call) => {
  requireAction(call.objects('iam/User'), 'users:read');
  const { totalCount, users, page, perPage } = searchUsers(call, searchText(call));
  return ok({ totalCount, users, page, perPage });
};
