import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { useLoad } from '../../../lib/load.js';
import { namespace } from '../../../lib/session.js';
import { Button } from '../../../ui/button.js';
import { Time } from '../../../ui/time.js';
import { AccessLink } from '../access-link.js';
import type { Address } from '../address.js';
import { useLivePeople } from '../follow.js';
import { called, lacking, read, type Team } from '../legacy.js';
import { Card, OpenHead, Shown } from '../list.js';
import { useMyself } from '../myself.js';
import { UserActions } from './actions.js';
import { loadUser, type UserDetails } from './details.js';
import { EditUser, SetPassword } from './edit.js';
import { Organizations } from './organizations.js';
import { Sessions } from './sessions.js';

const KINDS = ['users', 'organizationbindings'] as const;

export function UserPage({ name, address }: { readonly name: string; readonly address: Address }) {
  const loading = useLoad((signal) => loadUser(name, signal), [name, namespace.value]);
  useLivePeople(loading, KINDS);
  const dialog = useSignal<'edit' | 'password' | undefined>(undefined);
  const myself = useMyself().state.value.value;
  const close = () => (dialog.value = undefined);
  const leave = (): void => address.set({ open: '' }, true);
  return (
    <Shown loading={loading}>
      {(user) => (
        <>
          <OpenHead back="Users" to={places.people('users')} title={called(user)}>
            <AccessLink kind="User" name={user.uid} />
            <Button
              unavailable={lacking(user.accessControl, 'users:write')}
              onPress={() => {
                dialog.value = 'edit';
              }}
            >
              Edit profile
            </Button>
            <Button
              unavailable={lacking(user.accessControl, 'users.password:write')}
              onPress={() => {
                dialog.value = 'password';
              }}
            >
              Set password
            </Button>
            <UserActions user={user} isSelf={myself?.uid === user.uid} onChange={loading.reload} onGone={leave} />
          </OpenHead>
          <div class="people-grid">
            <Profile user={user} />
            <Organizations user={user} isSelf={myself?.uid === user.uid} onChange={loading.reload} onGone={leave} />
            {user.accessControl !== undefined && <Teams user={user} />}
            {lacking(user.accessControl, 'users.authtoken:read') === undefined && (
              <Sessions
                path={`/api/admin/users/${user.id}`}
                title="Sessions"
                unavailable={lacking(user.accessControl, 'users.authtoken:write')}
              />
            )}
          </div>
          {dialog.value === 'edit' && <EditUser user={user} onClose={close} onDone={loading.reload} />}
          {dialog.value === 'password' && <SetPassword user={user} onClose={close} />}
        </>
      )}
    </Shown>
  );
}

function Profile({ user }: { readonly user: UserDetails }) {
  return (
    <Card title="Profile">
      <dl class="facts">
        <dt>Login</dt>
        <dd dir="auto">{user.login}</dd>
        <dt>E-mail</dt>
        <dd>{user.email}</dd>
        <dt>State</dt>
        <dd class="row">
          <span class={user.isDisabled ? 'chip warn' : 'chip ok'}>{user.isDisabled ? 'Disabled' : 'Enabled'}</span>
          {user.isGrafanaAdmin && <span class="chip">Server administrator</span>}
          {user.isProvisioned === true && <span class="chip">Kept by SCIM</span>}
        </dd>
        <dt>Signs in by</dt>
        <dd>{user.authLabels.length === 0 ? 'Password' : user.authLabels.join(', ')}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={user.createdAt} />
        </dd>
        {user.updatedAt !== undefined && (
          <>
            <dt>Changed</dt>
            <dd>
              <Time at={user.updatedAt} />
            </dd>
          </>
        )}
        <dt>Name of the object</dt>
        <dd class="mono">{user.uid}</dd>
      </dl>
    </Card>
  );
}

function Teams({ user }: { readonly user: UserDetails }) {
  const path = `/api/users/${user.id}/teams`;
  const loading = useLoad((signal) => read<readonly Team[]>(path, {}, signal), [path, namespace.value]);
  return (
    <Card title="Teams in the organization">
      <Shown loading={loading} rows={2}>
        {(teams) =>
          teams.length === 0 ? (
            <p class="muted">In no team.</p>
          ) : (
            <ul class="people-plain">
              {teams.map(({ uid, name }) => (
                <li key={uid}>
                  <Link href={`${places.people('teams')}?open=${encodeURIComponent(uid)}`} dir="auto">
                    {name}
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Shown>
    </Card>
  );
}
