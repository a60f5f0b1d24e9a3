import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import type { Resource } from '../../lib/discovery.js';
import type { KubeObject } from '../../lib/object.js';
import { titleOf } from './title.js';

interface Props {
  readonly resource: Resource;
  readonly object: Pick<KubeObject, 'metadata' | 'spec'>;
}

/** An entry of a list that leads to an object. */
export function ObjectLink({ resource, object }: Props) {
  const { metadata } = object;
  return (
    <li class="cut" dir="auto">
      <Link href={places.object(resource, metadata.namespace, metadata.name)}>{titleOf(object) ?? metadata.name}</Link>{' '}
      <span class="muted">{resource.kind}</span>
    </li>
  );
}
