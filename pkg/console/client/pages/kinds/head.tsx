import type { Signal } from '@preact/signals';
import { Link, useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import { type Resource, resources } from '../../lib/discovery.js';
import { useMay } from '../../lib/use-may.js';
import { Button } from '../../ui/button.js';
import { SelectField } from '../../ui/field.js';
import { Heading } from '../../ui/heading.js';
import { Menu } from '../../ui/menu.js';
import type { Column } from './table.js';

interface Props {
  readonly resource: Resource;
  /** The namespace whose objects are shown. Empty for all. */
  readonly place: string;
  readonly columns: readonly Column[];
  /** The names of the columns that are shown on request. */
  readonly optional: Signal<ReadonlySet<string>>;
}

/** The name of the kind, and its actions. */
export function KindHead({ resource, place, columns, optional }: Props) {
  const { kind, group, version, resource: plural, shortNames } = resource;
  const hidden = columns.filter(({ priority }) => priority > 0);
  return (
    <div class="page-head">
      <div class="grow">
        <p>
          <Link href={places.kinds()}>All kinds</Link>
        </p>
        <Heading area="All kinds">{kind}</Heading>
        <p class="muted mono cut">
          {[plural, ...shortNames].join(', ')} · {group === '' ? version : `${group}/${version}`}
        </p>
      </div>
      <div class="row">
        <Versions resource={resource} />
        {hidden.length > 0 && (
          <Menu
            label="Columns"
            items={hidden.map(({ name }) => ({
              label: `${optional.value.has(name) ? 'Hide' : 'Show'} ${name}`,
              run: () => (optional.value = switched(optional.value, name)),
            }))}
          >
            Columns
          </Menu>
        )}
        {resource.verbs.includes('create') && <Create resource={resource} place={place} />}
      </div>
    </div>
  );
}

function switched(names: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const changed = new Set(names);
  if (!changed.delete(name)) changed.add(name);
  return changed;
}

function Create({ resource, place }: Pick<Props, 'resource' | 'place'>) {
  const [, go] = useLocation();
  const { unavailable } = useMay('create', resource, { namespace: place });
  return (
    <Button look="primary" unavailable={unavailable} onPress={() => go(places.create(resource))}>
      Create {resource.kind}
    </Button>
  );
}

/** The choice of a version, if the kind has several. */
function Versions({ resource }: Pick<Props, 'resource'>) {
  const [, go] = useLocation();
  const { group, resource: plural, version } = resource;
  const all = resources.value.filter((one) => one.group === group && one.resource === plural);
  if (all.length < 2) return null;
  return (
    <SelectField
      label="Version"
      isLabelHidden
      value={version}
      onValue={(chosen) => go(places.kind({ ...resource, version: chosen }))}
      options={all.map((one) => [one.version, one.isPreferred ? `${one.version} (preferred)` : one.version])}
    />
  );
}
