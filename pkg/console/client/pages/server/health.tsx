import { useSignal } from '@preact/signals';
import { get, send } from '../../lib/api.js';
import { useLoad } from '../../lib/load.js';
import { useRepeated } from '../../lib/repeat.js';
import { Failure } from '../../ui/states.js';

interface Check {
  readonly name: string;
  readonly isOk: boolean;
}

const EVERY = 10_000;

/** The checks of the readiness of the server, and its version. */
export function Health() {
  const checks = useSignal<readonly Check[] | undefined>(undefined);
  const version = useLoad((signal) => get<{ gitVersion: string; platform: string }>('/version', {}, signal), []).state;
  useRepeated(EVERY, async () => {
    checks.value = await checksNow().catch(() => [{ name: 'The server answers', isOk: false }]);
    return true;
  });
  return (
    <section class="card" aria-label="Health and version">
      <dl class="facts">
        <dt>Ready</dt>
        <dd class="row">
          {checks.value === undefined
            ? '…'
            : checks.value.map(({ name, isOk }) => (
                <span key={name} class={`chip ${isOk ? 'ok' : 'danger'}`}>
                  {isOk ? '✓' : '✕'} {name}
                </span>
              ))}
        </dd>
        <dt>Version</dt>
        <dd>
          {version.value.phase === 'there' ? `${version.value.value.gitVersion}, ${version.value.value.platform}` : '…'}
          {version.value.phase === 'failed' && <Failure error={version.value.error} />}
        </dd>
      </dl>
    </section>
  );
}

/** `/readyz?verbose` answers a line for each check: `[+]storage ok`, or `[-]storage failed`. It is 503 if one fails. */
async function checksNow(): Promise<readonly Check[]> {
  const response = await send('GET', '/readyz', { query: { verbose: '' }, accept: 'text/plain' });
  const text = await response.text();
  return [...text.matchAll(/^\[([+-])\](\S+)/gm)].map(([, sign, name = '']) => ({ name, isOk: sign === '+' }));
}
