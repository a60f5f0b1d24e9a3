import { Contents } from '../contents/contents.js';

export function RootPanel() {
  return (
    <section class="folder-panel" aria-label="All folders">
      <header>
        <h1>All folders</h1>
        <p class="muted">What lies in no other folder.</p>
      </header>
      <Contents folder="" />
    </section>
  );
}
