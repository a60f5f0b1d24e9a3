import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { type Answer, type CallOptions, call } from '../../lib/api.js';
import { listed, pathOf, type Resource } from '../../lib/discovery.js';
import type { KubeList, KubeObject } from '../../lib/object.js';
import { Button } from '../../ui/button.js';
import { ObjectLink } from './object-link.js';
import type { Place } from './use-object.js';

const METADATA = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';
/** Objects of a page, and the most objects of a kind that are read. */
const [PAGE, MOST] = [1000, 10_000];

interface Found {
  readonly resource: Resource;
  readonly object: Pick<KubeObject, 'metadata'>;
}

/** Objects that have this one as their owner. No API selects by owner, so all objects are read, on request. */
export function Dependents({ place, uid }: { readonly place: Place; readonly uid: string }) {
  const found = useSignal<readonly Found[]>([]);
  const report = useSignal('');
  const controller = useRef(new AbortController());
  useEffect(() => () => controller.current.abort(), []);
  const look = async (): Promise<void> => {
    found.value = [];
    let [looked, skipped, cut] = [0, 0, 0];
    const kinds = listed.value.filter(({ group, resource }) => group !== '' || resource !== 'events');
    for (const [index, resource] of kinds.entries()) {
      report.value = `Looking at ${resource.kind}, ${index + 1} of ${kinds.length} kinds.`;
      try {
        for await (const object of metadataOf(resource, place.namespace, controller.current.signal)) {
          if (object === 'more') {
            cut++;
            continue;
          }
          looked++;
          if (object.metadata.ownerReferences?.some((owner) => owner.uid === uid) === true)
            found.value = [...found.value, { resource, object }];
        }
      } catch {
        if (controller.current.signal.aborted) return;
        skipped++;
      }
    }
    const notes = [
      skipped > 0 ? ` ${kindsOf(skipped)} could not be listed.` : '',
      cut > 0 ? ` Of ${kindsOf(cut)}, only the first ${MOST.toLocaleString()} objects were looked at.` : '',
    ];
    report.value = `Looked at ${looked.toLocaleString()} objects, and found ${found.value.length}.${notes.join('')}`;
  };
  return (
    <section class="card stack tight">
      <h2>Dependents</h2>
      <p class="muted">Objects that have this one as an owner, and go with it.</p>
      <div class="row">
        <Button onPress={look}>Look for dependents</Button>
        <span role="status" class="muted">
          {report.value}
        </span>
      </div>
      {found.value.length > 0 && (
        <ul class="object-list">
          {found.value.map(({ resource, object }) => (
            <ObjectLink key={object.metadata.uid} resource={resource} object={object} />
          ))}
        </ul>
      )}
    </section>
  );
}

function kindsOf(count: number): string {
  return count === 1 ? '1 kind' : `${count} kinds`;
}

type Metadata = Pick<KubeObject, 'metadata'>;

/** The metadata of the objects of a kind, and at the end `more` if it did not read all of them. */
async function* metadataOf(
  resource: Resource,
  namespace: string,
  signal: AbortSignal,
): AsyncGenerator<Metadata | 'more'> {
  let next: string | undefined;
  let seen = 0;
  do {
    const options: CallOptions = { query: { limit: PAGE, continue: next }, accept: METADATA, signal };
    const { body }: Answer<KubeList<Metadata>> = await call('GET', pathOf(resource, namespace), options);
    yield* body.items;
    seen += body.items.length;
    next = body.metadata.continue || undefined;
  } while (next !== undefined && seen < MOST);
  if (next !== undefined) yield 'more';
}
