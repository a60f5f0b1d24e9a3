import { confirm } from '../../ui/confirm.js';

/** Asks before an action on a user, and warns if the user is the caller. */
export function sure(title: string, action: string, text: string, isSelf: boolean): Promise<boolean> {
  const warning = 'This is your own account. You may lock yourself out. ';
  return confirm({ title, action, text: isSelf ? warning + text : text, isDangerous: true });
}
