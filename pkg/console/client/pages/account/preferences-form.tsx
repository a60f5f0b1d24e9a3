import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import { theme as shown, switchTheme } from '../../app/theme.js';
import { loadFormats } from '../../lib/formats.js';
import { organizationId } from '../../lib/session.js';
import { Button } from '../../ui/button.js';
import { SelectField, TextField } from '../../ui/field.js';
import { sorted } from '../../ui/form-dialog.js';
import { tell } from '../../ui/toasts.js';
import { write } from '../people/legacy.js';
import { HomeDashboard } from './home-dashboard.js';

export interface PreferenceValues {
  readonly theme?: string;
  readonly homeDashboardUID?: string;
  readonly timezone?: string;
  readonly language?: string;
  readonly weekStart?: string;
}

const THEMES = [
  ['', 'Default'],
  ['light', 'Light'],
  ['dark', 'Dark'],
  ['system', 'As the system'],
] as const;
const WEEKS = [
  ['', 'Default'],
  ['browser', 'As the browser'],
  ['monday', 'Monday'],
  ['saturday', 'Saturday'],
  ['sunday', 'Sunday'],
] as const;
const LANGUAGES = ['en-US', 'de-DE', 'es-ES', 'fr-FR', 'it-IT', 'ja-JP', 'ko-KR', 'pl-PL', 'pt-BR', 'zh-Hans'];
const ZONES = ['utc', 'browser', ...Intl.supportedValuesOf('timeZone')];
const FIELDS = {
  timezone: /timezone/i,
  theme: /theme/i,
  weekStart: /week/i,
  language: /language/i,
  homeDashboardUID: /dashboard/i,
};

interface Props {
  readonly path: string;
  readonly values: PreferenceValues;
  readonly isMine: boolean;
}

export function PreferencesForm({ path, values, isMine }: Props) {
  const id = useId();
  const draft = useSignal({ theme: '', homeDashboardUID: '', timezone: '', language: '', weekStart: '', ...values });
  const problem = useSignal<unknown>(undefined);
  const { at, rest } = sorted(problem.value, FIELDS);
  const field = (name: keyof PreferenceValues) => ({
    value: draft.value[name],
    onValue: (text: string): void => {
      draft.value = { ...draft.value, [name]: text };
    },
    error: at.get(name),
  });
  const save = async (): Promise<void> => {
    problem.value = undefined;
    try {
      const { theme, homeDashboardUID, timezone, language, weekStart } = draft.value;
      await write('PATCH', path, { theme, homeDashboardUID, timezone, language, weekStart });
      if (isMine && (theme === 'light' || theme === 'dark') && theme !== shown.value) switchTheme();
      await loadFormats(organizationId.peek()).catch(() => undefined);
      tell('The preferences were saved.');
    } catch (error) {
      problem.value = error;
    }
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <SelectField label="Colours" options={THEMES} {...field('theme')} />
      <HomeDashboard {...field('homeDashboardUID')} />
      <TextField
        label="Time zone"
        hint="utc, browser or a name such as Europe/Berlin. Empty for the default."
        list={`${id}-zones`}
        {...field('timezone')}
      />
      <TextField
        label="Language"
        hint="Such as en-US. Empty for the default."
        list={`${id}-languages`}
        {...field('language')}
      />
      <SelectField label="First day of the week" options={WEEKS} {...field('weekStart')} />
      {rest !== '' && (
        <p class="field-error" role="alert">
          {rest}
        </p>
      )}
      <div>
        <Button type="submit">Save preferences</Button>
      </div>
      <Values id={`${id}-zones`} of={ZONES} />
      <Values id={`${id}-languages`} of={LANGUAGES} />
    </form>
  );
}

function Values({ id, of }: { readonly id: string; readonly of: readonly string[] }) {
  return (
    <datalist id={id}>
      {of.map((value) => (
        <option key={value} value={value} />
      ))}
    </datalist>
  );
}
