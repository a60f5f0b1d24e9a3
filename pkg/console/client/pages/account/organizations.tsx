import { places } from '../../app/places.js';
import { call, get } from '../../lib/api.js';
import { useLoad } from '../../lib/load.js';
import { enter } from '../../lib/namespace.js';
import { forgetPermissions, loadMe, organizations } from '../../lib/session.js';
import { Button } from '../../ui/button.js';
import { tell } from '../../ui/toasts.js';
import { Card, Shown } from '../people/list.js';
import type { Myself } from '../people/myself.js';

interface Membership {
  readonly orgId: number;
  readonly name: string;
  readonly role: string;
}

/** The organizations of the caller. Calls of the legacy API that name no organization go to the active one. */
export function Organizations({ self, onChange }: { readonly self: Myself; readonly onChange: () => void }) {
  const loading = useLoad((signal) => get<readonly Membership[]>('/api/user/orgs', undefined, signal), [self.orgId]);
  const use = async ({ orgId, name }: Membership): Promise<void> => {
    await call('POST', `/api/user/using/${orgId}`);
    const shown = organizations.value.find(({ id }) => id === orgId);
    if (shown !== undefined) enter(shown.name, places.account());
    forgetPermissions();
    await loadMe();
    tell(`${name} is your active organization now.`);
    onChange();
  };
  return (
    <Card title="Your organizations">
      <Shown loading={loading} rows={2}>
        {(all) =>
          all.length === 0 ? (
            <p class="muted">You are in no organization. An administrator can add you to one.</p>
          ) : (
            <ul class="people-plain">
              {all.map((one) => (
                <li key={one.orgId}>
                  <span class="grow">
                    <span class="clamped people-name" dir="auto">
                      {one.name}
                    </span>
                    <span class="clamped people-below muted">{one.role}</span>
                  </span>
                  {one.orgId === self.orgId ? (
                    <span class="chip ok">Active</span>
                  ) : (
                    <Button aria-label={`Switch to ${one.name}`} onPress={() => use(one)}>
                      Switch
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}
