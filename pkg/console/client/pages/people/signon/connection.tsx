import { useSignal } from '@preact/signals';
import { Button } from '../../../ui/button.js';
import { Card } from '../list.js';
import { type Check, isThere, labelOf, type Provider, testConnection } from './settings.js';

interface Props {
  readonly provider: Provider;
  readonly unavailable: string | undefined;
}

interface Tested {
  /** The settings that were tested. */
  readonly provider: Provider;
  readonly checks: readonly Check[];
}

/** Tests on request whether the addresses of a provider answer to the server. */
export function Connection({ provider, unavailable }: Props) {
  const tested = useSignal<Tested | undefined>(undefined);
  const isAsking = useSignal(false);
  const test = async (): Promise<void> => {
    isAsking.value = true;
    try {
      tested.value = { provider, checks: await testConnection(provider) };
    } finally {
      isAsking.value = false;
    }
  };
  const reason = unavailable ?? (isThere(provider) ? undefined : 'Save the settings first. What is saved is tested.');
  const checks = tested.value?.provider === provider ? tested.value.checks : [];
  return (
    <Card
      title="Connection"
      action={
        <Button unavailable={reason} onPress={test}>
          Test the connection
        </Button>
      }
    >
      <p class="muted">The server asks the addresses that are saved. It sends no secrets, and signs nobody in.</p>
      <div role="status">
        {isAsking.value ? (
          <p class="muted">The addresses are asked. This takes at most some seconds.</p>
        ) : (
          checks.length > 0 && <Checks checks={checks} />
        )}
      </div>
    </Card>
  );
}

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const failed = checks.filter(({ ok }) => !ok).length;
  return (
    <>
      <p class="sr-only">{failed === 0 ? 'Nothing failed.' : `${failed} of ${checks.length} failed.`}</p>
      <ul class="people-plain" aria-label="What was tested">
        {checks.map(({ name, host, ok, message }) => (
          <li key={name}>
            <span class="people-check">
              <span class={`chip ${ok ? 'ok' : 'danger'}`}>
                <span aria-hidden="true">{ok ? '✓' : '✕'}</span>
                <span class="sr-only">{ok ? 'Passed: ' : 'Failed: '}</span>
                {labelOf(name)}
              </span>
            </span>
            <span class="grow" dir="auto">
              {host !== '' && <span class="mono people-host">{host} </span>}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
