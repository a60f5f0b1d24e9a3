import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { loadResources, resourceNamed } from '../../lib/discovery.js';
import type { TabProps } from '../object/props.js';

interface Definition {
  readonly group?: string;
  readonly names?: { readonly plural?: string; readonly kind?: string };
}

/** Leads from a definition to the objects of its kind, as soon as the server serves them. */
export function DefinitionSummary({ object: { metadata, spec } }: TabProps) {
  useEffect(() => void loadResources().catch(() => undefined), [metadata.resourceVersion]);
  const { group = '', names: { plural = '', kind = '' } = {} } = (spec ?? {}) as Definition;
  const resource = resourceNamed(group, plural);
  if (resource === undefined) return <p class="muted">The server does not serve objects of this kind yet.</p>;
  return (
    <p>
      <Link href={places.kind(resource)}>All objects of the kind {kind}</Link>
    </p>
  );
}
