import { useSignal } from '@preact/signals';
import { ownResource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { SelectField, TextField } from '../../../ui/field.js';
import { FormDialog } from '../../../ui/form-dialog.js';
import { type Address, useAddress } from '../address.js';
import { Name, Shown } from '../list.js';
import { ProviderPage } from './provider.js';
import { type Provider, providers, titleOf } from './settings.js';
import { State } from './state.js';

/** How people sign in. */
export function SignOnTab() {
  const address = useAddress();
  return address.open === undefined ? (
    <Providers address={address} />
  ) : (
    <ProviderPage key={address.open} name={address.open} address={address} />
  );
}

function Providers({ address }: { readonly address: Address }) {
  const loading = useLoad(providers, []);
  const create = useMay('create', ownResource('iam', 'ssosettings'));
  const isAdding = useSignal(false);
  return (
    <Shown loading={loading}>
      {(all) => (
        <>
          <div class="people-bar">
            <p class="muted grow">People sign in by a password, and by the providers that are enabled here.</p>
            {create.allowed === true && (
              <Button
                onPress={() => {
                  isAdding.value = true;
                }}
              >
                Another of a type
              </Button>
            )}
          </div>
          <ProviderTable all={all} address={address} />
          {isAdding.value && (
            <AddProvider
              all={all}
              onClose={() => (isAdding.value = false)}
              onName={(name) => address.set({ open: name })}
            />
          )}
        </>
      )}
    </Shown>
  );
}

function ProviderTable({ all, address }: { readonly all: readonly Provider[]; readonly address: Address }) {
  return (
    <div class="table-box">
      <table class="table people-table">
        <thead>
          <tr>
            <th scope="col">Provider</th>
            <th scope="col">State</th>
            <th scope="col" class="wide">
              Client id
            </th>
            <th scope="col" class="wide">
              Settings come from
            </th>
          </tr>
        </thead>
        <tbody>
          {all.map((one) => (
            <ProviderRow key={one.provider} {...one} to={address.to(one.provider)} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function ProviderRow({ to, ...provider }: Provider & { readonly to: string }) {
  const { provider: name, settings, source } = provider;
  return (
    <tr>
      <td>
        <Name to={to} text={titleOf(provider)} below={name} />
      </td>
      <td>
        <State {...provider} />
      </td>
      <td class="wide mono">{settings['clientId']}</td>
      <td class="wide">{source === 'database' ? 'What is stored' : 'The server'}</td>
    </tr>
  );
}

interface AddProps {
  readonly all: readonly Provider[];
  readonly onClose: () => void;
  readonly onName: (name: string) => void;
}

/** Adds another provider of a type, with a suffix. It is stored when its settings are saved. */
function AddProvider({ all, onClose, onName }: AddProps) {
  const types = all.map(({ provider }) => provider).filter((name) => !name.includes('-') && name !== 'ldap');
  const [type, suffix] = [useSignal(types[0] ?? ''), useSignal('')];
  return (
    <FormDialog
      title="Another provider of a type"
      action="Go on"
      onClose={onClose}
      fields={{ suffix: /suffix/ }}
      onSubmit={async () => {
        if (!/^[a-z0-9]{1,26}$/.test(suffix.value)) throw new Error('The suffix has 1 to 26 small letters and digits.');
        onName(`${type.value}-${suffix.value}`);
      }}
    >
      {(errorAt) => (
        <>
          <SelectField
            label="Type"
            value={type.value}
            onValue={(text) => (type.value = text)}
            options={types.map((name) => [name, name] as const)}
          />
          <TextField
            label="Suffix"
            hint="Such as west, for okta-west."
            value={suffix.value}
            onValue={(text) => (suffix.value = text)}
            error={errorAt('suffix')}
          />
        </>
      )}
    </FormDialog>
  );
}
