/**
 * A shadow root for an editor. In a document, CodeMirror writes its styles into a style element, which the policy of
 * the page forbids. In a shadow root it uses a constructed style sheet, which is allowed.
 */
export function shadowIn(host: HTMLElement): ShadowRoot {
  const element = document.createElement('div');
  element.className = 'editor-root';
  host.replaceChildren(element);
  return element.attachShadow({ mode: 'open' });
}
