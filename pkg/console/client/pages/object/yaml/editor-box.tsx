import { useEffect, useRef } from 'preact/hooks';
import { mountEditor } from '../../../editor/editor.js';
import type { EditedText } from './edited-text.js';

interface Props {
  readonly text: EditedText;
  readonly label: string;
  readonly isReadOnly: boolean;
}

export function EditorBox({ text, label, isReadOnly }: Props) {
  const host = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (host.current === null) return;
    const editor = mountEditor(host.current, {
      text: text.first,
      label,
      isReadOnly,
      onChange: (change) => text.typed(change),
    });
    text.attach(editor);
    return () => {
      text.stop();
      text.attach(undefined);
      editor.destroy();
    };
  }, [text, label]);
  const editor = text.editor.value;
  useEffect(() => editor?.setReadOnly(isReadOnly), [editor, isReadOnly]);
  return <div class="editor" ref={host} />;
}
