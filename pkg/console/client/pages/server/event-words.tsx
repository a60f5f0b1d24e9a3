import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { listed, type Resource, resourceNamed } from '../../lib/discovery.js';
import { titleOf } from '../access/kind-field.js';
import { ObjectTitle } from '../sets/object-title.js';
import { type SessionEvent, sessionWords } from './session-words.js';

/** What an event of the audit log is about (audit.k8s.io/v1, ObjectReference). */
interface ObjectRef {
  readonly resource: string;
  readonly apiGroup?: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly subresource?: string;
}

export interface Happened extends SessionEvent {
  readonly objectRef?: ObjectRef;
}

const PAST: Readonly<Record<string, string>> = {
  get: 'read',
  list: 'listed',
  watch: 'watched',
  create: 'created',
  update: 'changed',
  patch: 'changed',
  delete: 'deleted',
  deletecollection: 'deleted all',
};
/** Parts of objects. The verb says little of them. */
const PARTS: Readonly<Record<string, string>> = {
  history: 'read the history of',
  restore: 'restored',
  apply: 'applied',
  status: 'changed the status of',
  token: 'made a token of',
};

/** The verb in words, with the part of the object that was asked for. */
export function verbOf(event: Happened): string {
  const { verb = '', objectRef } = event;
  const session = sessionWords(event);
  if (session !== undefined) return session;
  const { subresource = '', resource = '' } = objectRef ?? {};
  // A review is a question, and nothing is stored.
  if (resource.endsWith('reviews')) return 'asked';
  const plain = PAST[verb] ?? verb;
  if (subresource === '') return plain;
  return PARTS[subresource] ?? `${plain} the part ${subresource} of`;
}

/**
 * A sentence such as `changed Folder Payments` or `signed in`, with the path as a tooltip. Other requests have only a
 * path.
 */
export function EventWords({ event }: { readonly event: Happened }) {
  const { requestURI = '', objectRef, verb = '' } = event;
  const resource = objectRef && resourceNamed(objectRef.apiGroup ?? '', objectRef.resource);
  if (sessionWords(event) !== undefined) return <strong title={`${verb} ${requestURI}`}>{verbOf(event)}</strong>;
  if (objectRef === undefined || resource === undefined)
    return (
      <>
        <strong>{verb}</strong> <span class="mono audit-path">{requestURI}</span>
      </>
    );
  return (
    <span title={`${verb} ${requestURI}`}>
      <strong>{verbOf(event)}</strong> <What resource={resource} about={objectRef} />
    </span>
  );
}

function What({ resource, about }: { readonly resource: Resource; readonly about: ObjectRef }) {
  const { name = '', namespace = '' } = about;
  const kind = titleOf(resource);
  if (!listed.value.includes(resource)) return <>{[kind, name].join(' ')}</>;
  if (name === '') return <Link href={places.kind(resource)}>{resource.resource}</Link>;
  return (
    <>
      {kind}{' '}
      <ObjectTitle resource={resource} namespace={namespace} name={name}>
        {(text) => (
          <Link href={places.object(resource, namespace, name)} dir="auto">
            {text}
          </Link>
        )}
      </ObjectTitle>
    </>
  );
}
