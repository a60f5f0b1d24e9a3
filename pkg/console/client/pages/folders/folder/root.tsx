import { Heading } from '../../../ui/heading.js';
import { Contents } from '../contents/contents.js';

export function RootPanel() {
  return (
    <section class="folder-panel" aria-label="All folders">
      <Heading area="Folders">All folders</Heading>
      <Contents folder="" />
    </section>
  );
}
