import { confirm } from '../../../ui/confirm.js';
import { Notice } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { Consequences } from '../actions/consequences.js';
import { type Change, consequencesOf, loadSelf, ownLoss, perform } from './change.js';
import type { FolderAccess } from './entries.js';

interface Proposal {
  readonly change: Change;
  readonly title: string;
  /** The text of the button. */
  readonly action: string;
  readonly done: string;
}

/** Shows the consequences of a change, and does it if the person agrees. Resolves to whether it was done. */
export async function propose({ change, title, action, done }: Proposal, access: FolderAccess): Promise<boolean> {
  const namespace = access.chain[0]?.metadata.namespace ?? '';
  const [warnings, self] = await Promise.all([consequencesOf(change), loadSelf(namespace)]);
  const loss = ownLoss(access, change, self);
  const isAgreed = await confirm({
    title,
    action,
    isDangerous: loss !== undefined,
    text: (
      <div class="stack tight">
        {loss !== undefined && <Notice look="danger">{loss}</Notice>}
        <Consequences warnings={warnings} />
      </div>
    ),
  });
  if (!isAgreed) return false;
  const written = await perform(change);
  const undo = async (): Promise<void> => {
    await perform(change.undo(written));
    tell('It is as it was before.');
  };
  // Who has lost the right to change it cannot take it back.
  tell(done, loss === undefined ? { label: 'Undo', run: undo } : undefined);
  return true;
}
