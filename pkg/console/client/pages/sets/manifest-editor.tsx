import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Editor, mountEditor } from '../../editor/editor.js';
import { Problems } from '../../editor/problems.js';
import { LARGE, type Problem } from '../../editor/yaml.js';
import { draft, settled, typed } from './draft.js';
import { manifestsIn } from './manifests.js';

interface Props {
  readonly label: string;
  readonly sample: string;
}

/** Milliseconds after the last change before the text is checked. */
const PAUSE = 300;

/** The text of the plan in an editor. */
export function ManifestEditor({ label, sample }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useSignal<Editor | undefined>(undefined);
  const problems = useSignal<readonly Problem[]>([]);
  useEffect(() => {
    if (host.current === null) return;
    const made = mountEditor(host.current, {
      text: draft.peek().text,
      label,
      sample,
      isReadOnly: false,
      onChange: () => typed(made),
    });
    editor.value = made;
    return () => {
      settled();
      editor.value = undefined;
      made.destroy();
    };
  }, []);
  const { text } = draft.value;
  const isLarge = text.length > LARGE;
  useEffect(() => {
    // Files may have been added, or the text cleared. `settled` keeps what was typed meanwhile.
    editor.peek()?.setText(settled().text);
    const timer = setTimeout(() => {
      problems.value = isLarge ? [] : (manifestsIn(text).problems ?? []);
      editor.peek()?.setProblems(problems.peek());
    }, PAUSE);
    return () => clearTimeout(timer);
  }, [text]);
  const none = isLarge
    ? 'Is checked when it is planned'
    : text === ''
      ? 'No text yet'
      : 'No problems in the YAML. What the server thinks of it is seen when it is planned.';
  return (
    <>
      <div class="editor" ref={host} />
      <Problems problems={problems.value} editor={editor.value} none={none} />
    </>
  );
}
