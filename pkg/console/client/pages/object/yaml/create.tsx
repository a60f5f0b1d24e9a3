import { Link } from 'wouter-preact';
import { groupIn, places } from '../../../app/places.js';
import { type Resource, resourceNamed } from '../../../lib/discovery.js';
import { useLater } from '../../../lib/later.js';
import { Empty, Failure, Skeleton } from '../../../ui/states.js';
import './style.css';
import { Heading } from '../../../ui/heading.js';

interface Props {
  readonly params: Readonly<Record<string, string | undefined>>;
}

/** A new object of any kind, from a template. */
export function CreatePage({ params: { group = '', version = '', resource: plural = '' } }: Props) {
  const resource = resourceNamed(groupIn(group), plural, version);
  return (
    <div class="page">
      <Heading area="All kinds">{resource === undefined ? 'New object' : `New ${resource.kind}`}</Heading>
      {resource === undefined ? (
        <Empty title="The server has no such kind">
          <Link href={places.kinds()}>All kinds</Link>
        </Empty>
      ) : (
        <Later key={`${group}/${version}/${plural}`} resource={resource} />
      )}
    </div>
  );
}

function Later({ resource }: { readonly resource: Resource }) {
  const { state, reload } = useLater(async () => (await import('./new-object.js')).NewObject);
  const { phase, value: NewObject, error } = state.value;
  if (phase === 'failed') return <Failure error={error} onRetry={reload} />;
  return NewObject === undefined ? (
    <Skeleton rows={14} label="Loading the editor" />
  ) : (
    <NewObject resource={resource} />
  );
}
