import { useSignal } from '@preact/signals';
import { ownResource } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import { namespace, organizationId } from '../../lib/session.js';
import { useMay } from '../../lib/use-may.js';
import { SelectField } from '../../ui/field.js';
import { read, teams } from '../people/legacy.js';
import { Card, Shown } from '../people/list.js';
import { PreferencesForm, type PreferenceValues } from './preferences-form.js';

/** The preferences of the caller, and for who may change them, those of the organization and of teams. */
export function Preferences() {
  const owner = useSignal('/api/user');
  const place = { namespace: namespace.value, name: 'namespace' };
  const everybody = useMay('update', ownResource('preferences', 'preferences'), place);
  const mine = useLoad((signal) => teams({ query: '', page: 1, perpage: 100 }, signal), [organizationId.value]);
  const options: readonly (readonly [string, string])[] = [
    ['/api/user', 'Mine'],
    ...(everybody.allowed === true ? [['/api/org', 'Everybody in the organization'] as const] : []),
    ...(mine.state.value.value?.items ?? []).map(({ id, name }) => [`/api/teams/${id}`, `Team ${name}`] as const),
  ];
  const path = `${owner.value}/preferences`;
  const loading = useLoad((signal) => read<PreferenceValues>(path, {}, signal), [path, organizationId.value]);
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
        {(values) => <PreferencesForm key={path} path={path} values={values} isMine={owner.value === '/api/user'} />}
      </Shown>
    </Card>
  );
}
