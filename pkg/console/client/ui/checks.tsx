/** One thing that the server has tested. */
export interface Tested {
  readonly label: string;
  /** The host that was asked. Empty if none was. */
  readonly host?: string;
  readonly ok: boolean;
  readonly message: string;
}

/** What a test of a connection has found, in sentences. */
export function Checks({ checks }: { readonly checks: readonly Tested[] }) {
  const failed = checks.filter(({ ok }) => !ok).length;
  return (
    <>
      <p class="sr-only">{failed === 0 ? 'Nothing failed.' : `${failed} of ${checks.length} failed.`}</p>
      <ul class="checks" aria-label="What was tested">
        {checks.map(({ label, host = '', ok, message }) => (
          <li key={label}>
            <span class="checks-label">
              <span class={`chip ${ok ? 'ok' : 'danger'}`}>
                <span aria-hidden="true">{ok ? '✓' : '✕'}</span>
                <span class="sr-only">{ok ? 'Passed: ' : 'Failed: '}</span>
                {label}
              </span>
            </span>
            <span class="checks-message" dir="auto">
              {host !== '' && <span class="mono">{host} </span>}
              {message}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
