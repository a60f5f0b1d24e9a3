import { Heading } from '../../../ui/heading.js';
import { Contents } from '../contents/contents.js';

export function RootPanel() {
  return (
    <section class="folder-panel" aria-label="All folders">
      <header>
        <Heading>All folders</Heading>
        <p class="muted">What lies in no other folder.</p>
      </header>
      <Contents folder="" />
    </section>
  );
}
