import { useSignal } from '@preact/signals';
import { places } from '../../../app/places.js';
import { ownResource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { namespace } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { LongText } from '../../../ui/long-text.js';
import { tell } from '../../../ui/toasts.js';
import type { Address } from '../address.js';
import { useLivePeople } from '../follow.js';
import { Card, OpenHead, Shown } from '../list.js';
import { sure } from '../self.js';
import { Assignments } from './assignments.js';
import { EditRole } from './edit.js';
import { deleteRole, type Role, roleNamed } from './kinds.js';
import { ScopeText } from './scope.js';

const KINDS = ['roles'] as const;

/** A custom role: what it allows, and who has it. */
export function RolePage({ name, address }: { readonly name: string; readonly address: Address }) {
  const loading = useLoad((signal) => roleNamed(name, signal), [name, namespace.value]);
  useLivePeople(loading, KINDS);
  const isEditing = useSignal(false);
  const resource = ownResource('iam', 'roles');
  const place = { namespace: namespace.value, name };
  const [update, remove] = [useMay('update', resource, place), useMay('delete', resource, place)];
  const discard = async (role: Role): Promise<void> => {
    const text = 'Who has it loses what it allows. This cannot be undone.';
    if (!(await sure('Delete the role?', 'Delete role', text, false))) return;
    await deleteRole(role);
    tell('The role was deleted.');
    address.set({ open: '' }, true);
  };
  return (
    <Shown loading={loading}>
      {(role) => (
        <>
          <OpenHead back="Roles" to={places.people('roles')} title={role.spec?.title || role.spec?.name || name}>
            <Button
              unavailable={update.unavailable}
              onPress={() => {
                isEditing.value = true;
              }}
            >
              Edit role
            </Button>
            <Button look="danger" unavailable={remove.unavailable} onPress={() => discard(role)}>
              Delete role
            </Button>
          </OpenHead>
          {role.spec?.description !== undefined && (
            <p dir="auto">
              <LongText text={role.spec.description} />
            </p>
          )}
          <div class="people-grid">
            <Assignments role={name} unavailable={update.unavailable} />
            <Permissions role={role} />
          </div>
          {isEditing.value && (
            <EditRole role={role} roles={[role]} onClose={() => (isEditing.value = false)} onDone={loading.reload} />
          )}
        </>
      )}
    </Shown>
  );
}

function Permissions({ role: { spec } }: { readonly role: Role }) {
  const permissions = spec?.permissions ?? [];
  return (
    <Card title="Permissions">
      {permissions.length === 0 ? (
        <p class="muted">It allows nothing yet.</p>
      ) : (
        <table class="table people-table">
          <thead>
            <tr>
              <th scope="col">Action</th>
              <th scope="col">On what</th>
            </tr>
          </thead>
          <tbody>
            {permissions.map(({ action, scope }) => (
              <tr key={`${action} ${scope}`}>
                <td class="mono name">{action}</td>
                <td>
                  <ScopeText scope={scope} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Card>
  );
}
