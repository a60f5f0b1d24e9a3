import { useState } from 'preact/hooks';

/** Characters that are shown at first, and the most that are ever shown. */
const [FIRST, MOST] = [200, 20_000];

/** A text of people. Of a long one, the beginning is shown until the person asks for more. */
export function LongText({ text }: { readonly text: string }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <span class="long-text" dir="auto">
      {text.slice(0, isWhole ? MOST : FIRST)}
      {text.length > FIRST && (
        <button type="button" class="more-text" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Less' : `… ${text.length.toLocaleString()} characters`}
        </button>
      )}
      {isWhole && text.length > MOST && <span class="muted"> The rest is in the YAML.</span>}
    </span>
  );
}
