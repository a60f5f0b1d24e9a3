import { useSignal } from '@preact/signals';
import { places } from '../../../app/places.js';
import { useLoad } from '../../../lib/load.js';
import { namespace } from '../../../lib/session.js';
import { Button } from '../../../ui/button.js';
import { Time } from '../../../ui/time.js';
import { tell } from '../../../ui/toasts.js';
import { AccessLink } from '../access-link.js';
import type { Address } from '../address.js';
import { type Account, lacking, read, write } from '../legacy.js';
import { Card, OpenHead, Shown } from '../list.js';
import { sure } from '../self.js';
import { EditAccount } from './edit.js';
import { Tokens } from './tokens.js';

export function AccountPage({ name, address }: { readonly name: string; readonly address: Address }) {
  const path = `/api/serviceaccounts/${encodeURIComponent(name)}`;
  const loading = useLoad((signal) => read<Account>(path, { accesscontrol: true }, signal), [path, namespace.value]);
  const isEditing = useSignal(false);
  const able = async ({ isDisabled, name: title }: Account): Promise<void> => {
    const text = 'Programs that use its tokens are refused at once.';
    if (!isDisabled && !(await sure(`Disable ${title}?`, 'Disable', text, false))) return;
    await write('PATCH', path, { isDisabled: !isDisabled });
    tell(isDisabled ? 'The service account is enabled.' : 'The service account is disabled.');
    loading.reload();
  };
  const remove = async ({ name: title }: Account): Promise<void> => {
    const text = 'All of its tokens end. Programs that use them are refused. This cannot be undone.';
    if (!(await sure(`Delete ${title}?`, 'Delete service account', text, false))) return;
    await write('DELETE', path);
    tell('The service account was deleted.');
    address.set({ open: '' }, true);
  };
  return (
    <Shown loading={loading}>
      {(account) => {
        const unavailable = lacking(account.accessControl, 'serviceaccounts:write');
        return (
          <>
            <OpenHead back="Service accounts" to={places.people('accounts')} title={account.name}>
              <AccessLink kind="ServiceAccount" name={account.uid} />
              <Button
                unavailable={unavailable}
                onPress={() => {
                  isEditing.value = true;
                }}
              >
                Edit
              </Button>
              <Button unavailable={unavailable} onPress={() => able(account)}>
                {account.isDisabled ? 'Enable' : 'Disable'}
              </Button>
              <Button
                look="danger"
                unavailable={lacking(account.accessControl, 'serviceaccounts:delete')}
                onPress={() => remove(account)}
              >
                Delete
              </Button>
            </OpenHead>
            <div class="people-grid">
              <Tokens path={path} unavailable={unavailable} />
              <About account={account} />
            </div>
            {isEditing.value && (
              <EditAccount account={account} onClose={() => (isEditing.value = false)} onDone={loading.reload} />
            )}
          </>
        );
      }}
    </Shown>
  );
}

function About({ account }: { readonly account: Account }) {
  return (
    <Card title="About">
      <dl class="facts">
        <dt>Role</dt>
        <dd>{account.role}</dd>
        <dt>State</dt>
        <dd>
          <span class={account.isDisabled ? 'chip warn' : 'chip ok'}>
            {account.isDisabled ? 'Disabled' : 'Enabled'}
          </span>
        </dd>
        <dt>Login</dt>
        <dd>{account.login}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={account.createdAt} />
        </dd>
        <dt>Name of the object</dt>
        <dd class="mono">{account.uid}</dd>
      </dl>
    </Card>
  );
}
