import { yaml } from '@codemirror/lang-yaml';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import { shadowIn } from './shadow.js';
import { look } from './theme.js';

export interface DifferenceOptions {
  readonly before: string;
  readonly after: string;
  readonly labels: { readonly before: string; readonly after: string };
  readonly isSideBySide: boolean;
}

const COMMON = {
  gutter: true,
  collapseUnchanged: { margin: 3, minSize: 6 },
  // Differences of large texts are found less exactly, but at once.
  diffConfig: { scanLimit: 500, timeout: 300 },
};

/** Shows two texts, and what differs. Returns what takes it away. */
export function mountDifference(host: HTMLElement, options: DifferenceOptions): () => void {
  const { before, after, labels, isSideBySide } = options;
  const root = shadowIn(host);
  if (isSideBySide) {
    const merge = new MergeView({
      root,
      parent: root,
      a: { doc: before, extensions: extensionsFor(labels.before) },
      b: { doc: after, extensions: extensionsFor(labels.after) },
      ...COMMON,
    });
    return () => merge.destroy();
  }
  const view = new EditorView({
    root,
    parent: root,
    state: EditorState.create({
      doc: after,
      extensions: [
        extensionsFor(`${labels.before}, ${labels.after}`),
        unifiedMergeView({ original: before, mergeControls: false, highlightChanges: true, ...COMMON }),
      ],
    }),
  });
  return () => view.destroy();
}

function extensionsFor(label: string): Extension {
  return [
    look,
    lineNumbers(),
    // Marks that turn the direction of text are shown as marks.
    highlightSpecialChars(),
    yaml(),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-label': label }),
  ];
}
