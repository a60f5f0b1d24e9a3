import type { Authenticate } from '../../pkg/identity/authn/chain.js';

/**
 * Waits until look-ups need not wait for the disk. A request begins with the look-ups of its caller, and goes on with
 * others (docs/adr/0050).
 */
export function residentIdentities(
  authenticate: Authenticate,
  cacher: { whenResident(): Promise<void> | undefined },
): Authenticate {
  return (credentials, request) => {
    const waiting = cacher.whenResident();
    return waiting === undefined
      ? authenticate(credentials, request)
      : waiting.then(() => authenticate(credentials, request));
  };
}
