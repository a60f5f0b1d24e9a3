import { ownResource } from '../../../lib/discovery.js';
import { namespace } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Empty } from '../../../ui/states.js';
import { type Address, useAddress } from '../address.js';
import { type Account, accounts } from '../legacy.js';
import { Name } from '../list.js';
import { Listing } from '../listing.js';
import { AccountPage } from './account.js';
import { EditAccount } from './edit.js';

/** The service accounts of the organization. */
export function AccountsTab() {
  const address = useAddress();
  return address.open === undefined ? (
    <Accounts address={address} />
  ) : (
    <AccountPage name={address.open} address={address} />
  );
}

const KINDS = ['serviceaccounts'] as const;

function Accounts({ address }: { readonly address: Address }) {
  const create = useMay('create', ownResource('iam', 'serviceaccounts'), { namespace: namespace.value });
  return (
    <Listing
      address={address}
      label="Search service accounts"
      load={accounts}
      kinds={KINDS}
      table={(items) => <AccountTable accounts={items} address={address} />}
      empty={
        <Empty title={address.query === '' ? 'No service accounts' : 'No service account is called so'}>
          <p>Programs use the server with the tokens of a service account.</p>
        </Empty>
      }
      creating={create.allowed === true ? 'New service account' : undefined}
      form={(close) => <EditAccount onClose={close} onDone={(uid) => address.set({ open: uid })} />}
    />
  );
}

function AccountTable({
  accounts: all,
  address,
}: {
  readonly accounts: readonly Account[];
  readonly address: Address;
}) {
  return (
    <div class="table-box">
      <table class="table people-table">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col" class="narrow wide end">
              Tokens
            </th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {all.map(({ uid, name, login, role, tokens, isDisabled }) => (
            <tr key={uid}>
              <td>
                <Name to={address.to(uid)} text={name} below={login} />
              </td>
              <td>{role}</td>
              <td class="narrow wide end">{tokens}</td>
              <td>
                <span class={isDisabled ? 'chip warn' : 'chip ok'}>{isDisabled ? 'Disabled' : 'Enabled'}</span>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
