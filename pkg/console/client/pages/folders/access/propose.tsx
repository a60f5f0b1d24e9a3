import { confirm } from '../../../ui/confirm.js';
import { Notice } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { type Change, consequencesOf, loadSelf, ownLoss, perform } from './change.js';
import type { FolderAccess } from './entries.js';
import { subjectKey } from './subjects.js';

interface Proposal {
  readonly change: Change;
  readonly title: string;
  /** The word of the button that does it. */
  readonly action: string;
  readonly done: string;
}

/** Asks the server what a change would mean, tells it to the person, and does it if they agree. Resolves to whether it is done. */
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
        {warnings.length === 0 && <p>Nobody gains or loses access by this.</p>}
        {warnings.map((warning) => (
          <p key={warning} dir="auto">
            {readable(warning, access, change)}
          </p>
        ))}
      </div>
    ),
  });
  if (!isAgreed) return false;
  await perform(change);
  tell(done);
  return true;
}

/** The words of the server, with what people call those whom it names. */
function readable(warning: string, access: FolderAccess, change: Change): string {
  const people = [...access.entries, ...change.after(access.entries)].map(({ who }) => who);
  let text = warning;
  for (const who of people) {
    const { title, kind } = who;
    text = text.replaceAll(`${subjectKey(who)} (`, `${kind === 'BasicRole' ? `every ${title}` : title} (`);
  }
  for (const { metadata, spec } of access.chain)
    text = text.replaceAll(JSON.stringify(metadata.name), `“${String(spec?.['title'] ?? metadata.name)}”`);
  return text.charAt(0).toUpperCase() + text.slice(1);
}
