import { useSignal } from '@preact/signals';
import { places } from '../../../app/places.js';
import { useLoad } from '../../../lib/load.js';
import { namespace } from '../../../lib/session.js';
import { Button } from '../../../ui/button.js';
import { Time } from '../../../ui/time.js';
import { tell } from '../../../ui/toasts.js';
import { AccessLink } from '../access-link.js';
import type { Address } from '../address.js';
import { useLivePeople } from '../follow.js';
import { lacking, read, type Team, write } from '../legacy.js';
import { Card, OpenHead, Shown } from '../list.js';
import { sure } from '../self.js';
import { EditTeam } from './edit.js';
import { Members } from './members.js';

const KINDS = ['teams', 'teambindings'] as const;

export function TeamPage({ name, address }: { readonly name: string; readonly address: Address }) {
  const path = `/api/teams/${encodeURIComponent(name)}`;
  const loading = useLoad((signal) => read<Team>(path, { accesscontrol: true }, signal), [path, namespace.value]);
  useLivePeople(loading, KINDS);
  const isEditing = useSignal(false);
  const remove = async (team: Team): Promise<void> => {
    const text = 'Its members lose what the team may do. This cannot be undone.';
    if (!(await sure(`Delete ${team.name}?`, 'Delete team', text, false))) return;
    await write('DELETE', `/api/teams/${team.id}`);
    tell('The team was deleted.');
    address.set({ open: '' }, true);
  };
  return (
    <Shown loading={loading}>
      {(team) => (
        <>
          <OpenHead back="Teams" to={places.people('teams')} title={team.name}>
            <AccessLink kind="Team" name={team.uid} />
            <Button
              unavailable={lacking(team.accessControl, 'teams:write')}
              onPress={() => {
                isEditing.value = true;
              }}
            >
              Edit team
            </Button>
            <Button
              look="danger"
              unavailable={lacking(team.accessControl, 'teams:delete')}
              onPress={() => remove(team)}
            >
              Delete team
            </Button>
          </OpenHead>
          <div class="people-grid">
            <Members team={team} onChange={loading.reload} />
            <Card title="About">
              <dl class="facts">
                <dt>E-mail</dt>
                <dd>{team.email === '' ? 'None' : team.email}</dd>
                <dt>Members</dt>
                <dd>{team.memberCount}</dd>
                {team.isProvisioned === true && (
                  <>
                    <dt>Kept by</dt>
                    <dd>SCIM</dd>
                  </>
                )}
                <dt>Changed</dt>
                <dd>
                  <Time at={team.updated} />
                </dd>
                <dt>Name of the object</dt>
                <dd class="mono">{team.uid}</dd>
              </dl>
            </Card>
          </div>
          {isEditing.value && (
            <EditTeam team={team} onClose={() => (isEditing.value = false)} onDone={loading.reload} />
          )}
        </>
      )}
    </Shown>
  );
}
