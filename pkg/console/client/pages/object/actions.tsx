import { useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import { call } from '../../lib/api.js';
import { objectPath } from '../../lib/discovery.js';
import { linkTo } from '../../lib/namespace.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { confirm } from '../../ui/confirm.js';
import { copy } from '../../ui/copy.js';
import { Menu, type MenuItem } from '../../ui/menu.js';
import type { ActionsProps } from './props.js';
import { titleOf } from './title.js';
import type { Place } from './use-object.js';

/** The actions on an object of any kind. */
export function ObjectActions({ place, object, isThere }: ActionsProps) {
  const { resource, name } = place;
  const title = titleOf(object) ?? name;
  return (
    <div class="row">
      {isThere && resource.verbs.includes('delete') && <Delete place={place} title={title} />}
      <Menu label={`Actions for ${title}`} items={useUsualItems(place)} />
    </div>
  );
}

/** The entries that the menu of each object has. */
export function useUsualItems({ resource, namespace, name }: Place): readonly MenuItem[] {
  const [, go] = useLocation();
  const link = linkTo(places.object(resource, namespace, name));
  return [
    { label: 'Copy name', run: () => copy(name, 'The name is copied.') },
    { label: 'Copy link', run: () => copy(link, 'The link is copied.') },
    { label: `Open all of ${resource.kind}`, run: () => go(places.kind(resource)) },
  ];
}

function Delete({ place: { resource, namespace, name }, title }: { readonly place: Place; readonly title: string }) {
  const { unavailable } = useMay('delete', resource, { namespace, name });
  const isKept = resource.subresources.includes('restore');
  const ask = async (): Promise<void> => {
    const isConfirmed = await confirm({
      title: `Delete ${resource.kind}?`,
      text: (
        <>
          <p dir="auto">{title}</p>
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
