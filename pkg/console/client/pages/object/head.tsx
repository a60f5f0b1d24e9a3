import { Link, useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import { call } from '../../lib/api.js';
import { objectPath } from '../../lib/discovery.js';
import { linkTo } from '../../lib/namespace.js';
import type { KubeObject } from '../../lib/object.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { confirm } from '../../ui/confirm.js';
import { copy } from '../../ui/copy.js';
import { Heading } from '../../ui/heading.js';
import { Menu } from '../../ui/menu.js';
import { Notice } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import type { Found, Place } from './use-object.js';

/** The name of the object, and its actions. */
export function ObjectHead({ place, found: { phase, object } }: { readonly place: Place; readonly found: Found }) {
  const { resource, namespace, name } = place;
  const [, go] = useLocation();
  const title = titleOf(object);
  const link = linkTo(places.object(resource, namespace, name));
  return (
    <>
      <div class="page-head">
        <div class="grow">
          <p class="cut">
            <Link href={places.kinds()}>All kinds</Link> / <Link href={places.kind(resource)}>{resource.kind}</Link>
            {namespace !== '' && <span class="muted"> in {namespace}</span>}
          </p>
          <Heading class="object-title clamped" dir="auto">
            {name}
          </Heading>
          {title !== undefined && (
            <p class="object-title clamped muted" dir="auto">
              {title}
            </p>
          )}
        </div>
        <div class="row">
          {phase === 'there' && resource.verbs.includes('delete') && <Delete place={place} />}
          <Menu
            label={`Actions for ${name}`}
            items={[
              { label: 'Copy name', run: () => copy(name, 'The name is copied.') },
              { label: 'Copy link', run: () => copy(link, 'The link is copied.') },
              { label: `Open all of ${resource.kind}`, run: () => go(places.kind(resource)) },
            ]}
          />
        </div>
      </div>
      {phase === 'there' && object?.metadata.deletionTimestamp !== undefined && <Leaving object={object} />}
    </>
  );
}

function titleOf(object: KubeObject | undefined): string | undefined {
  const title = object?.spec?.['title'] ?? object?.spec?.['name'];
  return typeof title === 'string' && title !== '' ? title.slice(0, 500) : undefined;
}

/** Says which finalizers the deletion waits for. */
function Leaving({ object: { metadata } }: { readonly object: KubeObject }) {
  return (
    <Notice look="warn">
      <p>
        This object has been terminating since <Time at={metadata.deletionTimestamp} />. It waits for its finalizers:{' '}
        <span class="mono">{(metadata.finalizers ?? []).join(', ') || 'none'}</span>. It goes when those who set them
        have removed them.
      </p>
    </Notice>
  );
}

function Delete({ place: { resource, namespace, name } }: { readonly place: Place }) {
  const { unavailable } = useMay('delete', resource, { namespace, name });
  const isKept = resource.subresources.includes('restore');
  const ask = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: `Delete ${resource.kind}?`,
      text: (
        <>
          <p dir="auto">{name}</p>
          <p>
            If it contains other objects, they are deleted, too.{' '}
            {isKept ? 'What is deleted can be restored from the trash.' : 'This cannot be undone.'}
          </p>
        </>
      ),
      action: 'Delete',
      isDangerous: true,
    });
    if (isConfirmed) await call('DELETE', objectPath(resource, namespace, name));
  };
  return (
    <Button look="danger" unavailable={unavailable} onPress={ask}>
      Delete…
    </Button>
  );
}
