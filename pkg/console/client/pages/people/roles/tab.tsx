import { useSignal } from '@preact/signals';
import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { ownResource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { namespace } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { Empty } from '../../../ui/states.js';
import { type Address, useAddress } from '../address.js';
import { useLivePeople } from '../follow.js';
import { Card, CardLevel, Name, Shown } from '../list.js';
import { BuiltInRoles } from './built-in.js';
import { EditRole } from './edit.js';
import { MOST_ROLES, type Role, rolesOf } from './kinds.js';
import { RolePage } from './role.js';

/** The roles of the organization. */
export function RolesTab() {
  const address = useAddress();
  return address.open === undefined ? <Roles address={address} /> : <RolePage name={address.open} address={address} />;
}

const KINDS = ['roles'] as const;

function Roles({ address }: { readonly address: Address }) {
  const isCreating = useSignal(false);
  const create = useMay('create', ownResource('iam', 'roles'), { namespace: namespace.value });
  const loading = useLoad(rolesOf, [namespace.value]);
  const roles = loading.state.value.value ?? [];
  useLivePeople(loading, KINDS);
  return (
    <CardLevel.Provider value={2}>
      <Card
        title="Custom roles"
        action={
          create.allowed === true && (
            <Button
              look="primary"
              onPress={() => {
                isCreating.value = true;
              }}
            >
              New role
            </Button>
          )
        }
      >
        <Shown loading={loading} rows={3}>
          {() => <Custom roles={roles} address={address} />}
        </Shown>
      </Card>
      <BuiltInRoles opened={address.get('built-in')} />
      {isCreating.value && (
        <EditRole
          roles={roles}
          onClose={() => (isCreating.value = false)}
          onDone={(name) => address.set({ open: name })}
        />
      )}
    </CardLevel.Provider>
  );
}

function Custom({ roles, address }: { readonly roles: readonly Role[]; readonly address: Address }) {
  if (roles.length === 0)
    return (
      <Empty title="No custom roles">
        <p>A custom role allows exactly what you choose. Give it to users, teams and service accounts.</p>
      </Empty>
    );
  const resource = ownResource('iam', 'roles');
  return (
    <>
      <RoleTable roles={roles} address={address} />
      {roles.length === MOST_ROLES && resource !== undefined && (
        <p class="muted">
          These are the first {MOST_ROLES} roles. <Link href={places.kind(resource)}>All of them</Link>
        </p>
      )}
    </>
  );
}

function RoleTable({ roles, address }: { readonly roles: readonly Role[]; readonly address: Address }) {
  return (
    <div class="table-box">
      <table class="table people-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="wide">
              What it is for
            </th>
            <th scope="col" class="narrow end">
              Permissions
            </th>
          </tr>
        </thead>
        <tbody>
          {roles.map(({ metadata: { name }, spec }) => (
            <tr key={name}>
              <td class="name">
                <Name to={address.to(name)} text={spec?.title || spec?.name || name} below={spec?.group ?? ''} />
              </td>
              <td class="wide" dir="auto">
                <span class="clamped people-name">{spec?.description}</span>
              </td>
              <td class="narrow end">{spec?.permissions.length ?? 0}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
