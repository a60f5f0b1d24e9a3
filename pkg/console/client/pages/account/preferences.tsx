import { useSignal } from '@preact/signals';
import { ownResource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { namespace } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { SelectField } from '../../ui/field.js';
import { Skeleton } from '../../ui/states.js';
import { read, type Team } from '../people/legacy.js';
import { Card, Shown } from '../people/list.js';
import { PreferencesForm, type PreferenceValues } from './preferences-form.js';

/** The most teams that are offered. */
const MOST_TEAMS = 100;

/** The teams whose preferences the caller may change. */
async function ownTeams(signal: AbortSignal): Promise<readonly Team[]> {
  const query = { perpage: MOST_TEAMS, accesscontrol: true };
  const { teams } = await read<{ readonly teams: readonly Team[] }>('/api/teams/search', query, signal);
  return teams.filter(({ accessControl }) => accessControl?.['teams:write'] === true);
}

/** The preferences of the caller, and those of the organization and of teams that the caller may change. */
export function Preferences() {
  const owner = useSignal('/api/user');
  const place = { namespace: namespace.value, name: 'namespace' };
  const everybody = useMay('update', ownResource('preferences', 'preferences'), place);
  const mine = useLoad(ownTeams, [namespace.value]);
  const options: readonly (readonly [string, string])[] = [
    ['/api/user', 'Mine'],
    ...(everybody.allowed === true ? [['/api/org', 'Everybody in the organization'] as const] : []),
    ...(mine.state.value.value ?? []).map(({ id, name }) => [`/api/teams/${id}`, `Team ${name}`] as const),
  ];
  const path = `${owner.value}/preferences`;
  const owned = `${namespace.value} ${path}`;
  const loading = useLoad(
    async (signal) => ({ of: owned, values: await read<PreferenceValues>(path, {}, signal) }),
    [owned],
  );
  return (
    <Card title="Preferences">
      {options.length > 1 && (
        <SelectField
          label="Whose preferences"
          value={owner.value}
          onValue={(value) => (owner.value = value)}
          options={options}
          hint="Yours come before those of your teams, and these before those of everybody."
        />
      )}
      <Shown loading={loading} rows={6}>
        {({ of, values }) =>
          // While the preferences of the next owner load, the old ones must not be edited, because they would be saved
          // for the next owner.
          of === owned ? (
            <PreferencesForm key={of} path={path} values={values} isMine={path === '/api/user/preferences'} />
          ) : (
            <Skeleton rows={6} />
          )
        }
      </Shown>
    </Card>
  );
}
