import type { KubeObject } from '../../../lib/object.js';
import { confirm } from '../../../ui/confirm.js';
import { Notice } from '../../../ui/states.js';
import { tell } from '../../../ui/toasts.js';
import { Consequences, type Where } from '../actions/consequences.js';
import { type Change, consequencesOf, perform, type Request } from './change.js';

export interface Asked {
  readonly request: Request;
  readonly undo: Change['undo'];
  readonly title: string;
  /** The text of the button. */
  readonly action: string;
  readonly done: string;
  /** What the caller would lose. Who has lost the right to change it cannot take it back. */
  readonly loss?: string | undefined;
  /** If the changes are at places that do not follow from the page. */
  readonly where?: Where;
  /** The object that it is about, to name the people behind teams and roles. */
  readonly about?: KubeObject | undefined;
  /** What else the person should know. */
  readonly note?: string | undefined;
  /** Whether there is no question if nobody's access changes. */
  readonly isQuiet?: boolean;
  /** After the change, and after it was taken back. */
  readonly onDone?: () => void;
}

/** Shows what a dry run warns of, and does the change if the person agrees. Resolves to whether it was done. */
export async function proposeWrite(asked: Asked, warnings?: readonly string[]): Promise<boolean> {
  const { request, undo, title, action, done, loss, where, about, note, isQuiet = false, onDone } = asked;
  const consequences = warnings ?? (await consequencesOf(request));
  const isAsked = !isQuiet || consequences.length > 0;
  const isAgreed =
    !isAsked ||
    (await confirm({
      title,
      action,
      isDangerous: loss !== undefined,
      text: (
        <div class="stack tight">
          {loss !== undefined && <Notice look="danger">{loss}</Notice>}
          {note !== undefined && <p>{note}</p>}
          <Consequences warnings={consequences} about={about} {...(where && { where })} />
        </div>
      ),
    }));
  if (!isAgreed) return false;
  const written = await perform(request);
  const takeBack = async (): Promise<void> => {
    await perform(undo(written));
    tell('It is as it was before.');
    onDone?.();
  };
  tell(done, loss === undefined ? { label: 'Undo', run: takeBack } : undefined);
  onDone?.();
  return true;
}
