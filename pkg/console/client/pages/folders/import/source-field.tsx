import { type Signal, useSignal } from '@preact/signals';
import { Button } from '../../../ui/button.js';
import { TextArea } from '../../../ui/field.js';
import { report } from '../../../ui/toasts.js';
import type { Source } from './candidates.js';

interface Props {
  readonly sources: Signal<readonly Source[]>;
  readonly problem: string | undefined;
}

/** Where the JSON comes from: a text that is pasted, or files that are chosen or dropped. */
export function SourceField({ sources, problem }: Props) {
  const isOver = useSignal(false);
  const read = async (files: FileList | null | undefined): Promise<void> => {
    const all = [...(files ?? [])].map(async (file) => ({ name: file.name, text: await file.text() }));
    if (all.length > 0) sources.value = await Promise.all(all);
  };
  const [first] = sources.value;
  return (
    <div
      role="group"
      aria-label="Dashboards"
      class={`stack tight import-source ${isOver.value ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        isOver.value = true;
      }}
      onDragLeave={() => (isOver.value = false)}
      onDrop={(event) => {
        event.preventDefault();
        isOver.value = false;
        read(event.dataTransfer?.files).catch(report);
      }}
    >
      {sources.value.length > 1 ? (
        <Files sources={sources} problem={problem} />
      ) : (
        <TextArea
          label={first === undefined || first.name === '' ? 'JSON' : `JSON of ${first.name}`}
          hint="What a user interface exports, or the API answers: one dashboard, or a list."
          placeholder='{ "title": … }'
          rows={7}
          value={first?.text ?? ''}
          error={problem}
          onValue={(text) => (sources.value = [{ name: first?.name ?? '', text }])}
        />
      )}
      <label class="button import-files">
        Choose files
        <input
          type="file"
          class="sr-only"
          multiple
          accept=".json,application/json"
          onChange={({ currentTarget }) => void read(currentTarget.files).catch(report)}
        />
      </label>
    </div>
  );
}

function Files({ sources, problem }: Props) {
  return (
    <>
      <p>
        {sources.value.length} files: <span class="muted">{sources.value.map(({ name }) => name).join(', ')}</span>
      </p>
      {problem !== undefined && (
        <p class="field-error" role="alert">
          {problem}
        </p>
      )}
      <div>
        <Button onPress={() => (sources.value = [])}>Paste a text instead</Button>
      </div>
    </>
  );
}
