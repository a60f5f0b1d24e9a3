import type { EditedText } from './edited-text.js';

/** Problems that are listed. The others are marked in the text. */
const MOST = 50;

/** What is wrong with the text, by lines. A press goes there. */
export function Problems({ text }: { readonly text: EditedText }) {
  const [problems, editor] = [text.problems.value, text.editor.value];
  const words = problems.length === 1 ? '1 problem' : `${problems.length} problems`;
  return (
    <div class="problems">
      <p role="status" class={problems.length === 0 ? 'muted' : 'problems-count'}>
        {problems.length > 0 ? words : text.isLarge.value ? 'Is checked when it is saved' : 'No problems'}
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
