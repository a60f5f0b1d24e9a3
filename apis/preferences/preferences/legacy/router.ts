import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { requireAction } from '../../../../registry/legacy/errors.js';
import { type LegacyHandler, type LegacyRouter, legacyRouter, routes } from '../../../../registry/legacy/router.js';
import type { ConfiguredServices } from '../../../environment.js';
import { caller } from '../../../iam/legacy/people.js';
import { USER_PREFERENCES } from '../../../iam/names.js';
import { NAMESPACE_PREFERENCES } from '../schema.js';
import { PREFERENCES } from './answers.js';
import { PreferencesBody } from './body.js';
import {
  PREFERENCES_ERRORS,
  type PreferencesOwner,
  patchPreferences,
  readPreferences,
  replacePreferences,
} from './owner.js';
import { teamPreferencesRoutes } from './team.js';

/** The preferences of the caller, the organization and its teams. */
export function preferencesRouter(services: ConfiguredServices): LegacyRouter {
  const { environment } = services;
  const own = (call: LegacyCall): PreferencesOwner => ({
    namespace: call.organization.namespace,
    name: `${USER_PREFERENCES}${caller(call).metadata.name}`,
  });
  const everybody =
    (action: 'read' | 'write') =>
    (call: LegacyCall): PreferencesOwner => {
      const preferences = call.objects('preferences/Preferences');
      const { apiVersion, kind } = preferences.kind;
      const { namespace } = call.organization;
      // They are those of the whole organization, so a role that is bound in a folder does not suffice.
      const object = { apiVersion, kind, metadata: { name: NAMESPACE_PREFERENCES, namespace } };
      requireAction(preferences, `orgs.preferences:${action}`, object);
      return { namespace, name: NAMESPACE_PREFERENCES };
    };
  const read =
    (owner: (call: LegacyCall) => PreferencesOwner): LegacyHandler =>
    (call) =>
      readPreferences(call, owner(call));
  const put =
    (owner: (call: LegacyCall) => PreferencesOwner): LegacyHandler =>
    (call) =>
      replacePreferences(call, owner(call), environment);
  const patch =
    (owner: (call: LegacyCall) => PreferencesOwner): LegacyHandler =>
    (call) =>
      patchPreferences(call, owner(call), environment);
  return legacyRouter(
    services,
    routes(
      { errors: PREFERENCES_ERRORS, peopleOnly: true, fallback: 'Failed to save preferences' },
      {
        'GET /user/preferences': {
          single: true,
          answer: PREFERENCES,
          summary: 'Reads the preferences of the caller',
          handle: read(own),
        },
        'PUT /user/preferences': {
          summary: 'Replaces the preferences of the caller',
          body: PreferencesBody,
          handle: put(own),
        },
        'PATCH /user/preferences': {
          summary: 'Changes the preferences of the caller',
          body: PreferencesBody,
          handle: patch(own),
        },
      },
    ),
    routes(
      { errors: PREFERENCES_ERRORS, fallback: 'Failed to save preferences' },
      {
        'GET /org/preferences': {
          single: true,
          answer: PREFERENCES,
          summary: 'Reads the preferences of the organization',
          handle: read(everybody('read')),
        },
        'PUT /org/preferences': {
          summary: 'Replaces the preferences of the organization',
          body: PreferencesBody,
          handle: put(everybody('write')),
        },
        'PATCH /org/preferences': {
          summary: 'Changes the preferences of the organization',
          body: PreferencesBody,
          handle: patch(everybody('write')),
        },
      },
    ),
    teamPreferencesRoutes(environment),
  );
}
