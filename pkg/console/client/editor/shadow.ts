/**
 * A new root for an editor. CodeMirror makes its styles by script. In a document it writes a style element, which the policy of the page does not
 * allow; in a shadow root it takes a constructed style sheet, which is allowed.
 */
export function shadowIn(host: HTMLElement): ShadowRoot {
  const element = document.createElement('div');
  element.className = 'editor-root';
  host.replaceChildren(element);
  return element.attachShadow({ mode: 'open' });
}
