import { useSignal } from '@preact/signals';
import { places } from '../../../app/places.js';
import { useLoad } from '../../../lib/load.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { Notice } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import type { Address } from '../address.js';
import { OpenHead, Shown } from '../list.js';
import { sure } from '../self.js';
import { Connection } from './connection.js';
import { type Changes, SettingsForm } from './form.js';
import { fieldsOf, type Provider, providerNamed, reset, settingsKind, titleOf } from './settings.js';
import { State } from './state.js';

/** The settings of a provider. */
export function ProviderPage({ name, address }: { readonly name: string; readonly address: Address }) {
  const loading = useLoad(
    async (signal) => {
      const [provider, fields] = await Promise.all([providerNamed(name, signal), fieldsOf(signal)]);
      return { provider, fields };
    },
    [name],
  );
  const changed = useSignal<Changes>({});
  const may = useMay('update', settingsKind(), { name });
  const forget = async (provider: Provider): Promise<void> => {
    const text = 'What is stored is removed, also the secrets. What the settings of the server say applies again.';
    if (!(await sure('Reset the settings?', 'Reset', text, false))) return;
    await reset(provider);
    tell('The settings were reset.');
    address.set({ open: '' }, true);
  };
  return (
    <Shown loading={loading}>
      {({ provider, fields }) => (
        <>
          <OpenHead back="Sign-on" to={places.people('sign-on')} title={titleOf(provider)}>
            <State {...provider} />
            {provider.source === 'database' && (
              <Button look="danger" unavailable={may.unavailable} onPress={() => forget(provider)}>
                Reset
              </Button>
            )}
          </OpenHead>
          {provider.problems !== undefined && (
            <Notice look="warn">
              {provider.problems.map((problem) => (
                <p key={problem} dir="auto">
                  {problem}
                </p>
              ))}
            </Notice>
          )}
          <Connection provider={provider} changed={changed.value} unavailable={may.unavailable} />
          <SettingsForm
            provider={provider}
            fields={fields}
            changed={changed}
            unavailable={may.unavailable}
            onSaved={loading.reload}
          />
        </>
      )}
    </Shown>
  );
}
