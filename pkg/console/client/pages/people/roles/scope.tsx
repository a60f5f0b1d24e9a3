import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { namespace } from '../../../lib/session.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { ObjectPicker } from '../../access/objects.js';
import { needed } from '../../folders/access/entries.js';
import { askTitle, knownTitle } from '../../folders/model/titles.js';

/** What a scope can name by its title: the word of its group, and what people call it. */
const TARGETS = {
  folders: ['folder', 'One folder', 'Which folder'],
  dashboards: ['dashboard', 'One dashboard', 'Which dashboard'],
  teams: ['iam', 'One team', 'Which team'],
} as const;
type Target = keyof typeof TARGETS;
const isTarget = (text: string): text is Target => Object.hasOwn(TARGETS, text);

/** The object of a scope such as `folders:uid:ops`. Undefined for every other scope. */
function objectIn(scope: string): { readonly target: Target; readonly name: string } | undefined {
  const [, target = '', name = ''] = /^(\w+):uid:([^*:]*)$/.exec(scope) ?? [];
  return isTarget(target) ? { target, name } : undefined;
}

const OPTIONS = [
  ['', 'A scope that I type'],
  ...Object.entries(TARGETS).map(([target, [, words]]) => [target, words] as const),
] as const;

interface Props {
  /** The number of the permission. */
  readonly number: number;
  readonly scope: string;
  readonly onScope: (scope: string) => void;
  readonly error: string | undefined;
  /** The id of the list of scopes that are suggested. */
  readonly list: string;
}

/** On what a permission is: an object that is chosen by its title, or any scope as a text. */
export function ScopeField({ number, scope, onScope, error, list }: Props) {
  const found = objectIn(scope);
  const chosen = useSignal<Target | ''>(found?.target ?? '');
  const choose = (value: string): void => {
    chosen.value = isTarget(value) ? value : '';
    if (chosen.value !== '' && found?.target !== chosen.value) onScope(`${chosen.value}:uid:`);
  };
  return (
    <>
      <SelectField
        label={`Kind of what, of action ${number}`}
        isLabelHidden
        value={chosen.value}
        options={OPTIONS}
        onValue={choose}
      />
      {chosen.value === '' ? (
        <TextField
          label={`On what, of action ${number}`}
          isLabelHidden
          placeholder="folders:* or folders:uid:ops"
          list={list}
          value={scope}
          onValue={onScope}
          error={error}
        />
      ) : (
        <ObjectPicker
          key={chosen.value}
          label={`${TARGETS[chosen.value][2]}, of action ${number}`}
          isLabelHidden
          resource={needed(TARGETS[chosen.value][0], chosen.value)}
          namespace={namespace.value}
          value={found?.name ?? ''}
          onValue={(name) => onScope(`${chosen.value}:uid:${name}`)}
          error={error}
        />
      )}
    </>
  );
}

/** A scope, with the title of the folder or dashboard that it names. */
export function ScopeText({ scope }: { readonly scope: string }) {
  const found = objectIn(scope);
  const type = found?.target === 'folders' ? 'folder' : found?.target === 'dashboards' ? 'dashboard' : undefined;
  const [place, name] = [namespace.value, found?.name ?? ''];
  useEffect(() => {
    if (type !== undefined) askTitle(type, place, name);
  }, [type, place, name]);
  const title = type === undefined ? undefined : knownTitle(type, place, name);
  if (scope === '') return <>–</>;
  return (
    <>
      {title !== undefined && (
        <>
          <bdi class="people-scope">{title}</bdi>{' '}
        </>
      )}
      <span class={`mono ${title === undefined ? '' : 'muted'}`}>{scope}</span>
    </>
  );
}
