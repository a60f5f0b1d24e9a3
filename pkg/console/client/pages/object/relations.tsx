import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import type { OwnerReference } from '../../../../kube/meta/types.js';
import { places } from '../../app/places.js';
import { get } from '../../lib/api.js';
import { ownKey, ownResource, pathOf, resourceOf } from '../../lib/discovery.js';
import { useLoad } from '../../lib/load.js';
import type { KubeList, KubeObject } from '../../lib/object.js';
import { getIn } from '../../lib/organization.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { FolderTitle } from '../folders/folder-title.js';
import { Dependents } from './dependents.js';
import { ObjectLink } from './object-link.js';
import { type Referrer, referrersOf } from './references.js';
import type { Place } from './use-object.js';

/** Objects of a kind that are listed. A link leads to the rest. */
const FEW = 50;

/** The owners and the folder of an object, and the objects that belong to it. */
export function RelationsTab({ place, object }: { readonly place: Place; readonly object: KubeObject }) {
  const { resource, name } = place;
  const isFolder = ownResource('folder', 'folders')?.group === resource.group && resource.resource === 'folders';
  return (
    <div class="stack">
      <Owners place={place} object={object} />
      {isFolder && <Contents place={place} />}
      {referrersOf(resource, name).map((one) => (
        <Referring key={`${one.resource.resource} ${one.selector}`} referrer={one} place={place} />
      ))}
      <Dependents place={place} uid={object.metadata.uid ?? ''} />
    </div>
  );
}

function Owners({
  place: { namespace },
  object: { metadata },
}: {
  readonly place: Place;
  readonly object: KubeObject;
}) {
  const owners = metadata.ownerReferences ?? [];
  const folder = metadata.annotations?.[ownKey('folder')];
  return (
    <section class="card stack tight">
      <h2>Belongs to</h2>
      {owners.length === 0 && folder === undefined && <p class="muted">No owner, and no folder.</p>}
      <ul class="object-list">
        {folder !== undefined && folder !== '' && (
          <li>
            Folder <FolderTitle namespace={namespace} name={folder} />
          </li>
        )}
        {owners.map((owner) => (
          <Owner key={owner.uid} owner={owner} namespace={namespace} />
        ))}
      </ul>
    </section>
  );
}

function Owner({ owner, namespace }: { readonly owner: OwnerReference; readonly namespace: string }) {
  const resource = resourceOf(owner.apiVersion, owner.kind);
  const where = resource?.isNamespaced === true ? namespace : '';
  return (
    <li>
      {owner.kind}{' '}
      {resource === undefined ? (
        owner.name
      ) : (
        <Link href={places.object(resource, where, owner.name)}>{owner.name}</Link>
      )}{' '}
      {owner.controller === true && <span class="chip">controller</span>}
    </li>
  );
}

interface Item {
  readonly uid: string;
  readonly title: string;
  readonly type: string;
}

/** The contents of a folder, by a search. */
function Contents({ place: { resource, namespace, name } }: { readonly place: Place }) {
  const { state, reload } = useLoad(
    (signal) => getIn<readonly Item[]>(namespace, '/api/search', { folderUIDs: name, limit: FEW + 1 }, signal),
    [name],
  );
  const dashboards = ownResource('dashboard', 'dashboards');
  return (
    <Section title="Contains" hint="The folders and dashboards that lie in it." {...{ state: state.value, reload }}>
      {(items: readonly Item[]) =>
        items.slice(0, FEW).map(({ uid, title, type }) => {
          const kind = type === 'dash-folder' ? resource : dashboards;
          return (
            <li key={uid} class="cut" dir="auto">
              {kind === undefined ? (
                title
              ) : (
                <Link href={places.object(kind, namespace, uid)}>{title.slice(0, 200) || uid}</Link>
              )}{' '}
              <span class="muted">{kind?.kind}</span>
            </li>
          );
        })
      }
    </Section>
  );
}

function Referring({ referrer, place }: { readonly referrer: Referrer; readonly place: Place }) {
  const { resource, selector, isAnywhere } = referrer;
  const path = pathOf(resource, isAnywhere ? '' : place.namespace);
  const { state, reload } = useLoad(
    async (signal) => {
      const list = await get<KubeList<KubeObject>>(path, { fieldSelector: selector, limit: FEW }, signal);
      return list.items;
    },
    [path, selector],
  );
  return (
    <Section title={`${resource.kind} objects that name it`} hint={selector} {...{ state: state.value, reload }}>
      {(items: readonly KubeObject[]) =>
        items.map((item) => <ObjectLink key={item.metadata.uid} resource={resource} object={item} />)
      }
    </Section>
  );
}

interface SectionProps<Item> {
  readonly title: string;
  readonly hint: string;
  readonly state: { readonly phase: string; readonly value?: readonly Item[] | undefined; readonly error?: unknown };
  readonly reload: () => void;
  readonly children: (items: readonly Item[]) => ComponentChildren;
}

function Section<Item>({ title, hint, state, reload, children }: SectionProps<Item>) {
  const items = state.value ?? [];
  return (
    <section class="card stack tight">
      <h2>{title}</h2>
      <p class="hint cut">{hint}</p>
      {state.phase === 'loading' && <Skeleton rows={2} />}
      {state.phase === 'failed' && <Failure error={state.error} onRetry={reload} />}
      {state.phase === 'there' && items.length === 0 && <p class="muted">None</p>}
      {items.length > 0 && <ul class="object-list">{children(items)}</ul>}
      {items.length >= FEW && <p class="muted">These are the first {FEW}.</p>}
    </section>
  );
}
