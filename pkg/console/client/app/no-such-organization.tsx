import { enter, namespace, remembered } from '../lib/namespace.js';
import { organizations } from '../lib/session.js';
import { Button } from '../ui/button.js';
import { Heading } from '../ui/heading.js';
import { Empty } from '../ui/states.js';

/** In place of all pages of an organization that does not exist, or is none of the caller's. */
export function NoSuchOrganization() {
  const own = organizations.value;
  const next = own.find(({ name }) => name === remembered()) ?? own[0];
  return (
    <div class="page">
      <Heading>There is no such organization</Heading>
      <Empty title={`You belong to no organization “${namespace.value.slice(0, 80)}”`}>
        <p>The address may be mistyped, or the link may be for others.</p>
        {next !== undefined && <Button onPress={() => enter(next.name, '/folders')}>Go to {next.title}</Button>}
      </Empty>
    </div>
  );
}
