import type { LegacyCall } from '../../../../registry/legacy/call.js';
import type { ErrorRule } from '../../../../registry/legacy/errors.js';
import { routes } from '../../../../registry/legacy/router.js';
import type { ApisEnvironment } from '../../../environment.js';
import { TEAM_PREFERENCES } from '../../../iam/names.js';
import { teamOfPath } from '../../../iam/team/legacy/lookup.js';
import { PREFERENCES } from './answers.js';
import { PreferencesBody } from './body.js';
import {
  PREFERENCES_ERRORS,
  type PreferencesOwner,
  patchPreferences,
  readPreferences,
  replacePreferences,
} from './owner.js';

const ERRORS: readonly ErrorRule[] = [
  { code: 404, status: 404, body: { message: 'Team not found' } },
  // Preferences have the name of their team. Somebody deleted the team after the route had found it.
  { field: 'metadata.name', cause: 'FieldValueNotFound', status: 404, body: { message: 'Team not found' } },
  ...PREFERENCES_ERRORS,
];

/** Whoever may see a team sees its preferences, and whoever may change it changes them. */
export function teamPreferencesRoutes(environment: ApisEnvironment) {
  const owner = (call: LegacyCall, verb: 'get' | 'update'): PreferencesOwner => ({
    namespace: call.organization.namespace,
    name: `${TEAM_PREFERENCES}${teamOfPath(call, verb).metadata.name}`,
  });
  return routes(
    { errors: ERRORS, fallback: 'Failed to update team' },
    {
      'GET /teams/:teamId/preferences': {
        single: true,
        answer: PREFERENCES,
        summary: 'Reads the preferences of a team',
        handle: (call) => readPreferences(call, owner(call, 'get')),
      },
      'PUT /teams/:teamId/preferences': {
        summary: 'Replaces the preferences of a team',
        body: PreferencesBody,
        handle: (call) => replacePreferences(call, owner(call, 'update'), environment),
      },
      'PATCH /teams/:teamId/preferences': {
        summary: 'Changes the preferences of a team',
        body: PreferencesBody,
        handle: (call) => patchPreferences(call, owner(call, 'update'), environment),
      },
    },
  );
}
