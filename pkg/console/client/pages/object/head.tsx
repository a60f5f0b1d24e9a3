import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { organizationTitle } from '../../lib/session.js';
import { Heading } from '../../ui/heading.js';
import { isInFolders, kindWord } from '../folders/model/kinds.js';
import { ObjectActions } from './actions.js';
import { Changed } from './changed.js';
import { extraFor } from './extras.js';
import { FolderPath } from './folder-path.js';
import { Leaving } from './leaving.js';
import { titleOf } from './title.js';
import type { Found, Place } from './use-object.js';

interface Props {
  readonly place: Place;
  readonly found: Found;
  /** The name of the tab that is shown. Undefined for the first one. */
  readonly part: string | undefined;
}

/** Where the object lies, its title, who changed it, and its actions. */
export function ObjectHead({ place, found, part }: Props) {
  const { resource, name } = place;
  const { phase, object } = found;
  const title = titleOf(object);
  const Actions = extraFor(resource)?.Actions ?? ObjectActions;
  return (
    <>
      <div class="page-head">
        <div class="grow">
          {isInFolders(resource) ? <FolderPath object={object} /> : <KindPath place={place} />}
          <Heading part={part} area={kindWord(resource)} class="object-title clamped" dir="auto">
            {title ?? (phase === 'loading' ? kindWord(resource) : name)}
          </Heading>
          <p class="muted object-origin">
            {kindWord(resource)}
            {title !== undefined && title !== name && <span class="mono"> {name}</span>}
            {object !== undefined && (
              <>
                , <Changed object={object} />
              </>
            )}
          </p>
        </div>
        <Actions place={place} object={object} isThere={phase === 'there'} />
      </div>
      {phase === 'there' && object?.metadata.deletionTimestamp !== undefined && <Leaving object={object} />}
    </>
  );
}

function KindPath({ place: { resource, namespace } }: { readonly place: Place }) {
  const list = extraFor(resource)?.list;
  return (
    <p class="cut">
      {list === undefined ? (
        <>
          <Link href={places.kinds()}>All kinds</Link> / <Link href={places.kind(resource)}>{resource.kind}</Link>
        </>
      ) : (
        <Link href={list.place}>{list.label}</Link>
      )}
      {namespace !== '' && <span class="muted"> in {organizationTitle(namespace)}</span>}
    </p>
  );
}
