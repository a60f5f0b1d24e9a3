import { isTerminating, type KubeObject } from '../../../../pkg/kube/meta/types.js';
import type { LegacyCall } from '../../../../registry/legacy/call.js';
import { isUser, TEAM_PREFERENCES, USER_PREFERENCES } from '../../../iam/names.js';
import { BY_USER, type TeamBindingSpec } from '../../../iam/teambinding/schema.js';
import { NAMESPACE_PREFERENCES, type PreferencesSpec } from '../schema.js';

/**
 * The preferences that apply to the caller, the most specific first: their own, those of their teams, and those of the
 * organization.
 */
export function* preferencesFor(call: LegacyCall): Generator<KubeObject<PreferencesSpec>, void, undefined> {
  const preferences = call.objects<PreferencesSpec>('preferences/Preferences');
  for (const owner of ownersOf(call)) {
    const object = preferences.find(owner);
    if (object?.spec !== undefined) yield object;
  }
}

/** The most specific value of each preference that is set. */
export function effectivePreferences(call: LegacyCall): PreferencesSpec {
  const all = [...preferencesFor(call)].reverse().flatMap(({ spec = {} }) => Object.entries(spec));
  return Object.fromEntries(all.filter(([, value]) => value !== ''));
}

function* ownersOf(call: LegacyCall): Generator<string, void, undefined> {
  const { user, organization } = call;
  if (isUser(user, user.uid)) {
    yield `${USER_PREFERENCES}${user.uid}`;
    const bindings = call.objects<TeamBindingSpec>('iam/TeamBinding').range({ index: BY_USER, prefix: [user.uid] });
    for (const binding of bindings) {
      if (binding.metadata.namespace !== organization.namespace || isTerminating(binding)) continue;
      if (binding.spec) yield `${TEAM_PREFERENCES}${binding.spec.teamRef.name}`;
    }
  }
  yield NAMESPACE_PREFERENCES;
}
