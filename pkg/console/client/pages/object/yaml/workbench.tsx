import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { Problems } from '../../../editor/problems.js';
import type { KindSchema } from '../../../editor/schema/openapi.js';
import { hasEnded, isReachable } from '../../../lib/api.js';
import { useUnsaved } from '../../../lib/unsaved.js';
import { Button } from '../../../ui/button.js';
import { confirm } from '../../../ui/confirm.js';
import { Conflicts } from './conflicts.js';
import { Difference } from './difference.js';
import type { Editing } from './editing.js';
import { EditorBox } from './editor-box.js';
import { Notices } from './notices.js';

interface Props {
  readonly editing: Editing;
  readonly schema: KindSchema | undefined;
  readonly label: string;
  /** Why the text cannot be changed. */
  readonly readOnly: string | undefined;
  /** The first tools. */
  readonly children?: ComponentChildren;
}

const MOD = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl-';

/** The editor with its tools, its messages and its conflicts. */
export function Workbench({ editing, schema, label, readOnly, children }: Props) {
  const { text, draft, proposal, isNew } = editing;
  useEffect(() => text.setSchema(schema), [text, schema]);
  const unavailable = readOnly ?? whyNotSave(editing);
  const attached = text.editor.value;
  // What was typed and not saved is shown at once.
  useEffect(() => {
    if (attached !== undefined) editing.useDraft();
  }, [editing, attached]);
  const isThere = isReachable.value && !hasEnded.value;
  useEffect(() => {
    if (isThere) editing.calmIfPassing();
  }, [editing, isThere]);
  useUnsaved(() => text.isDirty.peek());
  // Is evaluated when the key is pressed, because the page may not have been drawn since the last change.
  useSaveKey(() => {
    if (readOnly === undefined && whyNotSave(editing) === undefined && proposal.peek() === undefined)
      void editing.propose();
  });
  const discard = async (): Promise<void> => {
    const asked = { title: 'Discard your changes?', text: 'The text goes back to what is stored.', action: 'Discard' };
    if (!(await confirm({ ...asked, isDangerous: true }))) return;
    editing.discard();
    attached?.focus();
  };
  return (
    <div class="stack tight workbench">
      <div class="row apart workbench-tools">
        <div class="row">{children}</div>
        <div class="row">
          {text.isDirty.value && readOnly === undefined && <Button onPress={discard}>Discard changes</Button>}
          <Button look="primary" unavailable={unavailable} title={`${MOD}S`} onPress={() => editing.propose()}>
            {isNew || editing.isDeleted.value ? 'Review and create' : 'Review and save'}
          </Button>
        </div>
      </div>
      <Notices editing={editing} readOnly={readOnly} />
      <Conflicts editing={editing} />
      <EditorBox text={text} label={label} isReadOnly={readOnly !== undefined || draft.value !== undefined} />
      <div class="workbench-foot">
        <Problems
          problems={text.problems.value}
          editor={text.editor.value}
          none={text.isLarge.value ? 'Is checked when it is saved' : 'No problems'}
        />
        <p class="hint">
          {readOnly === undefined && `${MOD}S shows what would change. ${MOD}Space proposes fields. `}
          {MOD}F searches. Escape, then Tab, leaves the editor.
        </p>
      </div>
      {proposal.value !== undefined && <Difference editing={editing} proposal={proposal.value} />}
    </div>
  );
}

function whyNotSave({ draft, isNew, isDeleted, text }: Editing): string | undefined {
  if (draft.value !== undefined) return 'Go on with what you typed, or throw it away first.';
  return isNew || isDeleted.value || text.isDirty.value ? undefined : 'Nothing was changed.';
}

function useSaveKey(save: () => void): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      save();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  });
}
