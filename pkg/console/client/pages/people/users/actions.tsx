import { Menu } from '../../../ui/menu.js';
import { tell } from '../../../ui/toasts.js';
import { lacking, write } from '../legacy.js';
import { sure } from '../self.js';
import type { UserDetails } from './details.js';

interface Props {
  readonly user: UserDetails;
  readonly isSelf: boolean;
  readonly onChange: () => void;
  readonly onGone: () => void;
}

/** Further actions on a user. */
export function UserActions({ user, isSelf, onChange, onGone }: Props) {
  const { id, login, isDisabled, isGrafanaAdmin, accessControl } = user;
  const may = (action: string) => lacking(accessControl, action);
  const able = async (): Promise<void> => {
    const text = `${login} can no longer sign in, and all sessions end.`;
    if (!isDisabled && !(await sure(`Disable ${login}?`, 'Disable', text, isSelf))) return;
    await write('POST', `/api/admin/users/${id}/${isDisabled ? 'enable' : 'disable'}`);
    tell(`${login} was ${isDisabled ? 'enabled' : 'disabled'}.`);
    onChange();
  };
  const administer = async (): Promise<void> => {
    const text = isGrafanaAdmin
      ? `${login} may then no longer administer users, organizations and the server.`
      : `${login} may then do everything in all organizations.`;
    const title = isGrafanaAdmin ? 'Take server administration away?' : 'Make server administrator?';
    if (!(await sure(title, isGrafanaAdmin ? 'Take away' : 'Make administrator', text, isSelf && isGrafanaAdmin)))
      return;
    await write('PUT', `/api/admin/users/${id}/permissions`, { isGrafanaAdmin: !isGrafanaAdmin });
    tell(isGrafanaAdmin ? `${login} no longer administers the server.` : `${login} administers the server now.`);
    onChange();
  };
  const remove = async (): Promise<void> => {
    const text = `${login} loses all memberships and permissions. This cannot be undone.`;
    if (!(await sure(`Delete ${login}?`, 'Delete user', text, isSelf))) return;
    await write('DELETE', `/api/admin/users/${id}`);
    tell(`${login} was deleted.`);
    onGone();
  };
  return (
    <Menu
      label={`More about ${login}`}
      items={[
        {
          label: isDisabled ? 'Enable' : 'Disable',
          run: able,
          unavailable: may(isDisabled ? 'users:enable' : 'users:disable'),
        },
        {
          label: isGrafanaAdmin ? 'Take server administration away' : 'Make server administrator',
          run: administer,
          unavailable: may('users.permissions:write'),
        },
        { label: 'Delete user', run: remove, isDangerous: true, unavailable: may('users:delete') },
      ]}
    />
  );
}
