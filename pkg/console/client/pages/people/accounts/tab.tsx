import { useSignal } from '@preact/signals';
import { ownResource } from '../../../lib/discovery.js';
import { useLoad } from '../../../lib/load.js';
import { namespace, organizationId } from '../../../lib/session.js';
import { useMay } from '../../../lib/use-may.js';
import { Button } from '../../../ui/button.js';
import { Empty } from '../../../ui/states.js';
import { type Address, useAddress } from '../address.js';
import { type Account, accounts } from '../legacy.js';
import { Name, Shown } from '../list.js';
import { Pages, PER_PAGE, SearchBar } from '../search.js';
import { AccountPage } from './account.js';
import { EditAccount } from './edit.js';

/** The accounts of programs in the organization. */
export function AccountsTab() {
  const address = useAddress();
  return address.open === undefined ? (
    <Accounts address={address} />
  ) : (
    <AccountPage name={address.open} address={address} />
  );
}

function Accounts({ address }: { readonly address: Address }) {
  const isCreating = useSignal(false);
  const create = useMay('create', ownResource('iam', 'serviceaccounts'), { namespace: namespace.value });
  const { query, page } = address;
  const loading = useLoad(
    (signal) => accounts({ query, page, perpage: PER_PAGE }, signal),
    [query, page, organizationId.value],
  );
  return (
    <>
      <SearchBar label="Search service accounts" address={address}>
        <span class="grow" />
        {create.allowed === true && (
          <Button look="primary" onPress={() => (isCreating.value = true)}>
            New service account
          </Button>
        )}
      </SearchBar>
      <Shown loading={loading}>
        {({ items, total }) =>
          items.length === 0 ? (
            <Empty title={query === '' ? 'No service accounts' : 'No service account is called so'}>
              <p>Programs use the server with the tokens of a service account.</p>
            </Empty>
          ) : (
            <>
              <AccountTable accounts={items} address={address} />
              <Pages address={address} total={total} />
            </>
          )
        }
      </Shown>
      {isCreating.value && (
        <EditAccount onClose={() => (isCreating.value = false)} onDone={(uid) => address.set({ open: uid })} />
      )}
    </>
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
            <th scope="col" class="narrow end">
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
              <td class="narrow end">{tokens}</td>
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
