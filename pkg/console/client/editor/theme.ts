import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const MUTED = { color: 'var(--text-muted)' };
const BOX = {
  color: 'var(--text)',
  backgroundColor: 'var(--surface)',
  border: '1px solid var(--border-strong)',
  borderRadius: 'var(--r1)',
};

/** The look of an editor. Its colours are the tokens of the page, which change with the theme. */
const parts = EditorView.theme({
  '&': { height: '100%', color: 'var(--text)', backgroundColor: 'var(--surface)', fontSize: '13px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-content': { caretColor: 'var(--text)', padding: '8px 0' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text)' },
  '& > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: 'var(--accent-soft)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': { background: 'var(--accent-soft)' },
  '.cm-content ::selection, .cm-content::selection': { backgroundColor: 'var(--accent-soft)' },
  '.cm-gutters': { ...MUTED, backgroundColor: 'var(--surface)', borderRight: '1px solid var(--border)' },
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { boxShadow: 'inset 2px 0 var(--accent)' },
  '.cm-activeLineGutter': { color: 'var(--text)', backgroundColor: 'transparent' },
  '.cm-foldPlaceholder': { ...BOX, ...MUTED, padding: '0 4px' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--surface-2)' },
  '.cm-placeholder': { ...MUTED },
  '.cm-selectionMatch': { backgroundColor: 'var(--surface-2)' },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
});

const boxes = EditorView.theme({
  '.cm-panels': { color: 'var(--text)', backgroundColor: 'var(--surface-2)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--border)' },
  '.cm-panel.cm-search': { fontFamily: 'var(--font)', padding: '8px 32px 8px 8px' },
  '.cm-panel.cm-search label': { fontSize: 'var(--f1)' },
  '.cm-panel.cm-search [name=close]': { color: 'var(--text)', minWidth: '24px', minHeight: '24px' },
  '.cm-textfield': { ...BOX, fontSize: 'var(--f1)', minHeight: '26px' },
  '.cm-button': { ...BOX, backgroundImage: 'none', fontSize: 'var(--f1)', minHeight: '26px' },
  '.cm-button:active': { backgroundImage: 'none', backgroundColor: 'var(--surface-2)' },
  '.cm-tooltip': { ...BOX, borderRadius: 'var(--r2)', boxShadow: 'var(--shadow)', maxWidth: 'min(520px, 90vw)' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '16em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { color: 'var(--text)', background: 'var(--accent-soft)' },
  '.cm-completionDetail': { ...MUTED, fontStyle: 'normal' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '600' },
  '.cm-completionIcon': { display: 'none' },
  '.cm-tooltip.cm-completionInfo': { padding: '0' },
  '.about': { padding: '8px 12px', fontFamily: 'var(--font)', fontSize: '13px', whiteSpace: 'normal' },
  '.about-type': { fontFamily: 'var(--mono)', fontSize: 'var(--f1)', overflowWrap: 'anywhere' },
  '.about-text': { marginTop: '4px', overflowWrap: 'anywhere' },
  '.about-limits': { ...MUTED, marginTop: '4px', fontSize: 'var(--f1)', overflowWrap: 'anywhere' },
  '.cm-diagnostic': { fontFamily: 'var(--font)', fontSize: '13px', overflowWrap: 'anywhere', padding: '6px 10px' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--danger)' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--danger) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-lintPoint-error:after': { borderBottomColor: 'var(--danger)' },
  '.cm-lint-marker-error': {
    content: '""',
    width: '8px',
    height: '8px',
    margin: '6px 2px',
    background: 'var(--danger)',
    borderRadius: '50%',
  },
});

const differences = EditorView.theme({
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--danger-soft)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine': { backgroundColor: 'var(--ok-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText': {
    background: 'none',
    textDecoration: 'underline 2px var(--danger)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline 2px var(--ok)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--danger)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--ok)' },
  '.cm-collapsedLines': { ...MUTED, background: 'var(--surface-2)', fontFamily: 'var(--font)', fontSize: 'var(--f1)' },
  // The sign that the library shows is in few fonts.
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { content: '"↕"' },
});

const colours = HighlightStyle.define([
  { tag: [tags.definition(tags.propertyName), tags.propertyName], color: 'var(--accent)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--ok)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword, tags.labelName, tags.typeName], color: 'var(--warn)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-muted)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--text-muted)' },
]);

export const look: Extension = [parts, boxes, differences, syntaxHighlighting(colours)];
