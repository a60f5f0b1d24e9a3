import { useLoad } from '../../lib/load.js';
import { namespace } from '../../lib/session.js';
import { SelectField } from '../../ui/field.js';
import { read } from '../people/legacy.js';

interface Hit {
  readonly uid: string;
  readonly title: string;
  readonly folderTitle?: string;
}

interface Props {
  readonly value: string;
  readonly onValue: (uid: string) => void;
  readonly error: string | undefined;
}

/** A choice of dashboards. The chosen one stays in the list, even if the caller may not view it. */
export function HomeDashboard({ value, onValue, error }: Props) {
  const { state } = useLoad(
    (signal) => read<readonly Hit[]>('/api/search', { type: 'dash-db', limit: 1000 }, signal),
    [namespace.value],
  );
  const hits = state.value.value ?? [];
  const isKnown = value === '' || hits.some(({ uid }) => uid === value);
  const options: readonly (readonly [string, string])[] = [
    ['', 'None'],
    ...(isKnown ? [] : [[value, value] as const]),
    ...hits.map(({ uid, title, folderTitle }) => {
      const text = folderTitle === undefined ? title : `${title} (${folderTitle})`;
      return [uid, text.slice(0, 120)] as const;
    }),
  ];
  return <SelectField label="Home dashboard" value={value} onValue={onValue} options={options} error={error} />;
}
