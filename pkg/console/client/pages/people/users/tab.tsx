import { useSignal } from '@preact/signals';
import { ownResource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { namespace } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { Empty } from '../../../ui/states.js';
import { Time } from '../../../ui/time.js';
import { type Address, useAddress } from '../address.js';
import { called, everybody, members, type Person, read, seenAt } from '../legacy.js';
import { Name } from '../list.js';
import { Listing } from '../listing.js';
import { AddUser } from './add.js';
import { CreateUser } from './create.js';
import { UserPage } from './user.js';

/** The members of the organization, or all users of the server for callers who may see them. */
export function UsersTab() {
  const address = useAddress();
  return address.open === undefined ? <Users address={address} /> : <UserPage name={address.open} address={address} />;
}

/** The kinds of which the list is made. */
const KINDS = ['users', 'organizationbindings'] as const;

function Users({ address }: { readonly address: Address }) {
  const users = ownResource('iam', 'users');
  const administers = useMay('update', users);
  const create = useMay('create', users);
  const add = useMay('create', ownResource('iam', 'organizationbindings'), { namespace: namespace.value });
  const maker = useMaker(create.allowed, add.allowed);
  const [isAdding, added] = [useSignal(false), useSignal(0)];
  const isAll = address.get('of') === 'server';
  return (
    <>
      <Listing
        address={address}
        label="Search by name, login or e-mail address"
        load={isAll ? everybody : members}
        kinds={KINDS}
        of={`${isAll ? 'server' : 'organization'} ${added.value}`}
        table={(items) => <UserTable people={items} isAll={isAll} address={address} />}
        creating={maker === undefined ? undefined : 'New user'}
        form={(close) => (
          <CreateUser isOfServer={maker === 'server'} onClose={close} onCreated={(uid) => address.set({ open: uid })} />
        )}
        choice={
          <>
            {administers.allowed === true && <WhichUsers isAll={isAll} address={address} />}
            {add.allowed === true && <Button onPress={() => (isAdding.value = true)}>Add somebody</Button>}
          </>
        }
      />
      {isAdding.value && (
        <AddUser
          mayUseLogins={create.allowed === true}
          mayCreate={maker !== undefined}
          onClose={() => (isAdding.value = false)}
          onDone={() => added.value++}
        />
      )}
    </>
  );
}

/** For whom the caller may create accounts. Undefined for callers who may create none. */
function useMaker(ofServer: boolean | undefined, adds: boolean | undefined): 'server' | 'organization' | undefined {
  const asks = ofServer === false && adds === true;
  const load = async (signal: AbortSignal): Promise<boolean> =>
    asks && (await read<{ readonly max: number }>('/api/org/accounts', {}, signal)).max > 0;
  const { value: ofOrganization } = useLoad(load, [asks, namespace.value]).state.value;
  if (ofServer === true) return 'server';
  return ofOrganization === true ? 'organization' : undefined;
}

function WhichUsers({ isAll, address }: { readonly isAll: boolean; readonly address: Address }) {
  return (
    <select
      class="input people-choice"
      aria-label="Which users"
      value={isAll ? 'server' : ''}
      onChange={(event) => address.set({ of: event.currentTarget.value, page: '' })}
    >
      <option value="">In the organization</option>
      <option value="server">All of the server</option>
    </select>
  );
}

function UserTable(props: { readonly people: readonly Person[]; readonly isAll: boolean; readonly address: Address }) {
  const { people, isAll, address } = props;
  if (people.length === 0) return <Empty title={address.query === '' ? 'Nobody yet' : 'Nobody is called so'} />;
  return (
    <div class="table-box">
      <table class="table people-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="wide">
              E-mail
            </th>
            {!isAll && <th scope="col">Role</th>}
            <th scope="col" class="wide">
              Last seen
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.uid}>
              <td>
                <Name
                  to={address.to(person.uid)}
                  text={called(person)}
                  below={called(person) === person.login ? '' : person.login}
                />
              </td>
              <td class="wide">{person.email}</td>
              {!isAll && <td>{person.role}</td>}
              <td class="wide">{seenAt(person) === undefined ? 'Never' : <Time at={seenAt(person)} />}</td>
              <td>
                <UserChips person={person} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function UserChips({
  person,
}: {
  readonly person: Pick<Person, 'isAdmin' | 'isDisabled' | 'authLabels' | 'isProvisioned'>;
}) {
  return (
    <span class="row">
      {person.isDisabled ? <span class="chip warn">Disabled</span> : <span class="chip ok">Enabled</span>}
      {person.isAdmin && <span class="chip">Server administrator</span>}
      {person.isProvisioned === true && <span class="chip">SCIM</span>}
      {person.authLabels.map((label) => (
        <span key={label} class="chip">
          {label}
        </span>
      ))}
    </span>
  );
}
