import { confirm } from '../../ui/confirm.js';

/** What comes before a question about the caller. */
export const ownWarning = (isSelf: boolean): string =>
  isSelf ? 'This is your own account. You may lock yourself out. ' : '';

/** Asks before an action on a user, and warns if the user is the caller. */
export function sure(title: string, action: string, text: string, isSelf: boolean): Promise<boolean> {
  return confirm({ title, action, text: ownWarning(isSelf) + text, isDangerous: true });
}
