import { type Change, consequencesOf, loadSelf, ownLoss } from './change.js';
import type { FolderAccess } from './entries.js';
import { proposeWrite } from './propose-write.js';

interface Proposal {
  readonly change: Change;
  readonly title: string;
  /** The text of the button. */
  readonly action: string;
  readonly done: string;
  readonly note?: string | undefined;
}

/** Shows the consequences of a change, and does it if the person agrees. Resolves to whether it was done. */
export async function propose({ change, title, action, done, note }: Proposal, access: FolderAccess): Promise<boolean> {
  const namespace = access.chain[0]?.metadata.namespace ?? '';
  const [warnings, self] = await Promise.all([consequencesOf(change), loadSelf(namespace)]);
  const loss = ownLoss(access, change, self);
  const { undo } = change;
  return proposeWrite({ request: change, undo, title, action, done, loss, note, about: access.chain[0] }, warnings);
}
