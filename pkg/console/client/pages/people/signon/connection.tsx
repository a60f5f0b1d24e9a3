import { useSignal } from '@preact/signals';
import { prefix } from '../../../lib/api.js';
import { Button } from '../../../ui/button.js';
import { Checks } from '../../../ui/checks.js';
import { copy } from '../../../ui/copy.js';
import { TextField } from '../../../ui/field.js';
import { Card } from '../list.js';
import type { Changes } from './form.js';
import { LastSynchronization } from './last-sync.js';
import { isThere, labelOf, type Provider, type TestedProvider, testConnection } from './settings.js';
import { FoundPerson } from './tested-person.js';

interface Props {
  readonly provider: Provider;
  /** What was typed and is not saved. */
  readonly changed: Changes;
  readonly unavailable: string | undefined;
}

interface Tested extends TestedProvider {
  /** The settings that were tested. */
  readonly provider: Provider;
  readonly changed: Changes;
}

const WEB =
  'The server asks the addresses, also those that are not saved yet. It sends no secrets, and signs nobody in.';
const LDAP =
  'The server connects to each host, also to those that are not saved yet, binds, and looks for the search bases. It signs nobody in.';

/** Tests on request whether the addresses of a provider answer to the server. */
export function Connection({ provider, changed, unavailable }: Props) {
  const tested = useSignal<Tested | undefined>(undefined);
  const isAsking = useSignal(false);
  const login = useSignal('');
  const isDirectory = provider.provider === 'ldap';
  const test = async (): Promise<void> => {
    isAsking.value = true;
    try {
      tested.value = { provider, changed, ...(await testConnection(provider, changed, login.value)) };
    } finally {
      isAsking.value = false;
    }
  };
  const reason = unavailable ?? (isThere(provider) ? undefined : 'Save the settings first.');
  const isTested = tested.value?.provider === provider && tested.value.changed === changed;
  const { checks = [], person } = (isTested ? tested.value : undefined) ?? {};
  return (
    <Card
      title="Connection"
      action={
        <Button unavailable={reason} onPress={test}>
          Test the connection
        </Button>
      }
    >
      <Addresses provider={provider.provider} />
      {provider.lastSync !== undefined && <LastSynchronization {...provider.lastSync} />}
      <p class="muted">{isDirectory ? LDAP : WEB}</p>
      {isDirectory && (
        <TextField
          label="Login to look for"
          hint="Shows the entry and the groups of somebody, and the roles that a sign-in would give. It needs no password."
          value={login.value}
          autocomplete="off"
          onValue={(text) => (login.value = text)}
        />
      )}
      <div role="status">
        {isAsking.value ? (
          <p class="muted">The addresses are asked. This takes at most some seconds.</p>
        ) : (
          checks.length > 0 && <Checks checks={checks.map((one) => ({ ...one, label: labelOf(one.name) }))} />
        )}
        {person !== undefined && !isAsking.value && <FoundPerson {...person} />}
      </div>
    </Card>
  );
}

/** The addresses of this server that the provider wants to know before anything else. */
function Addresses({ provider }: { readonly provider: string }) {
  // A directory asks this server for nothing.
  if (/^ldap\b/.test(provider)) return null;
  const base = `${location.origin}${prefix}`;
  const saml = `${base}/saml${provider === 'saml' ? '' : `/${provider}`}`;
  const all: readonly (readonly [name: string, address: string])[] = /^saml\b/.test(provider)
    ? [
        ['Metadata and entity id', `${saml}/metadata`],
        ['Assertion consumer service', `${saml}/acs`],
        ['Single logout service', `${saml}/slo`],
      ]
    : [['Callback address', `${base}/login/${provider}`]];
  return (
    <>
      <p>For the settings of the provider, if this is the public address of the server:</p>
      <ul class="people-plain">
        {all.map(([name, address]) => (
          <li key={name}>
            <span class="grow">
              {name}: <span class="mono people-host">{address}</span>
            </span>
            <Button look="quiet" aria-label={`Copy: ${name}`} onPress={() => copy(address, 'The address is copied.')}>
              Copy
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
