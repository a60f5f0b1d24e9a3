import type { Editor } from './editor.js';
import type { Problem } from './yaml.js';
import './style.css';

/** The most problems that are listed. All are marked in the text. */
const MOST = 50;

interface Props {
  readonly problems: readonly Problem[];
  readonly editor: Editor | undefined;
  /** Is shown if there is no problem. */
  readonly none: string;
}

/** The problems of the text, by lines. A press on one shows its place. */
export function Problems({ problems, editor, none }: Props) {
  const words = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return (
    <div class="problems">
      <p role="status" class={problems.length === 0 ? 'muted' : 'problems-count'}>
        {problems.length > 0 ? words : none}
      </p>
      {problems.length > 0 && (
        <ul>
          {problems.slice(0, MOST).map(({ from, message }, index) => (
            <li key={index}>
              <button type="button" class="problem" onClick={() => editor?.show(from)}>
                <span class="problem-line">Line {editor?.lineAt(from) ?? 1}</span>
                <span dir="auto">{message}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
