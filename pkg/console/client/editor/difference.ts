import { yaml } from '@codemirror/lang-yaml';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import { shadowIn } from './shadow.js';
import { look } from './theme.js';
import { LARGE } from './yaml.js';

export interface DifferenceOptions {
  readonly before: string;
  readonly after: string;
  readonly labels: { readonly before: string; readonly after: string };
  readonly isSideBySide: boolean;
}

const COMMON = {
  gutter: true,
  collapseUnchanged: { margin: 3, minSize: 6 },
  // The difference of large texts is less exact, but does not take long.
  diffConfig: { scanLimit: 500, timeout: 300 },
};

/** Shows the difference of two texts. Returns a function that removes it. */
export function mountDifference(host: HTMLElement, options: DifferenceOptions): () => void {
  const { before, after, labels, isSideBySide } = options;
  const root = shadowIn(host);
  const isLarge = after.length > LARGE;
  if (isSideBySide) {
    const merge = new MergeView({
      root,
      parent: root,
      a: { doc: before, extensions: extensionsFor(labels.before, isLarge) },
      b: { doc: after, extensions: extensionsFor(labels.after, isLarge) },
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
        extensionsFor(`${labels.before}, ${labels.after}`, isLarge),
        unifiedMergeView({ original: before, mergeControls: false, highlightChanges: true, ...COMMON }),
      ],
    }),
  });
  return () => view.destroy();
}

function extensionsFor(label: string, isLarge: boolean): Extension {
  return [
    look,
    lineNumbers(),
    // Shows invisible characters that change the direction of text.
    highlightSpecialChars(),
    isLarge ? [] : yaml(),
    EditorView.lineWrapping,
    EditorView.perLineTextDirection.of(true),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
  ];
}
