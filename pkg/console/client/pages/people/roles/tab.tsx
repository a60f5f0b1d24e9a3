import { useSignal } from '@preact/signals';
import { ownResource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { namespace } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { Empty } from '../../../ui/states.js';
import { type Address, useAddress } from '../address.js';
import { useLivePeople } from '../follow.js';
import { Card, Name, Shown } from '../list.js';
import { EditRole } from './edit.js';
import { type Role, rolesOf } from './kinds.js';
import { RolePage } from './role.js';

/** The roles of the organization. */
export function RolesTab() {
  const address = useAddress();
  return address.open === undefined ? <Roles address={address} /> : <RolePage name={address.open} address={address} />;
}

/** The roles that each member has one of, and what they are for. */
const BASIC = [
  ['None', 'Sees nothing, unless a permission, a team or a custom role allows it.'],
  ['Viewer', 'Reads folders, dashboards, annotations, library elements and alert rules that are not private.'],
  ['Editor', 'Creates, changes and deletes these, too.'],
  ['Admin', 'Everything in the organization: permissions, members, teams, service accounts, roles and preferences.'],
] as const;

const KINDS = ['roles'] as const;

function Roles({ address }: { readonly address: Address }) {
  const isCreating = useSignal(false);
  const create = useMay('create', ownResource('iam', 'roles'), { namespace: namespace.value });
  const loading = useLoad(rolesOf, [namespace.value]);
  useLivePeople(loading, KINDS);
  return (
    <Shown loading={loading}>
      {(roles) => (
        <>
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
            {roles.length === 0 ? (
              <Empty title="No custom roles">
                <p>A custom role allows exactly what you choose. Give it to users, teams and service accounts.</p>
              </Empty>
            ) : (
              <RoleTable roles={roles} address={address} />
            )}
          </Card>
          <Basic />
          {isCreating.value && (
            <EditRole
              roles={roles}
              onClose={() => (isCreating.value = false)}
              onDone={(name) => address.set({ open: name })}
            />
          )}
        </>
      )}
    </Shown>
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
              <td>
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

function Basic() {
  return (
    <Card title="Roles of the server">
      <p class="muted">Each member of the organization has one of them. They cannot be changed.</p>
      <dl class="facts">
        {BASIC.map(([name, text]) => (
          <>
            <dt key={name}>{name}</dt>
            <dd>{text}</dd>
          </>
        ))}
      </dl>
    </Card>
  );
}
