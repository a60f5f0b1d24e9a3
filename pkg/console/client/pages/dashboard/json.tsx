import { useSignal } from '@preact/signals';
import { useLoad } from '../../lib/load.js';
import { Button } from '../../ui/button.js';
import { copy } from '../../ui/copy.js';
import { download } from '../../ui/download.js';
import { CheckField } from '../../ui/field.js';
import { Failure, Skeleton } from '../../ui/states.js';
import type { TabProps } from '../object/props.js';
import { titleOf } from '../object/title.js';
import { exportedText, fileOf } from './export.js';
import './style.css';

/** Characters that are drawn. A dashboard may have megabytes. */
const MOST_DRAWN = 300_000;

/** The JSON of a dashboard, to copy and to download. */
export function JsonTab({ object }: TabProps) {
  const isShared = useSignal(false);
  const { metadata } = object;
  const { state, reload } = useLoad(
    (signal) => exportedText(object, isShared.value, signal),
    [metadata.resourceVersion, isShared.value],
  );
  const { value: text, phase, error } = state.value;
  const title = titleOf(object) ?? metadata.name;
  const unavailable = text === undefined ? 'The JSON is not loaded yet.' : undefined;
  return (
    <div class="stack tight">
      <div class="row apart">
        <CheckField
          label="For another server"
          hint="Data sources become inputs, for which the import asks. Library panels come along."
          checked={isShared.value}
          onChecked={(checked) => (isShared.value = checked)}
        />
        <div class="row">
          <Button unavailable={unavailable} onPress={() => copy(text ?? '', 'The JSON is copied.')}>
            Copy
          </Button>
          <Button look="primary" unavailable={unavailable} onPress={() => download(text ?? '', fileOf(title))}>
            Download
          </Button>
        </div>
      </div>
      {phase === 'failed' && <Failure error={error} onRetry={reload} />}
      {text === undefined && phase === 'loading' && <Skeleton rows={12} label="Loading the JSON" />}
      {text !== undefined && (
        <>
          {/* It gets the focus, so that keys can scroll it. */}
          <pre class="board-json mono" tabIndex={0} role="region" aria-label={`JSON of ${title}`}>
            {text.slice(0, MOST_DRAWN)}
          </pre>
          {text.length > MOST_DRAWN && (
            <p class="muted">
              These are the first {MOST_DRAWN.toLocaleString()} of {text.length.toLocaleString()} characters. A copy and
              the download have all.
            </p>
          )}
        </>
      )}
    </div>
  );
}
