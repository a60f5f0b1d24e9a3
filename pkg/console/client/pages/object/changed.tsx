import { ownKey, resourceOf } from '../../lib/discovery.js';
import type { KubeObject } from '../../lib/object.js';
import { Author } from '../../ui/author.js';
import { Time } from '../../ui/time.js';

/** Who changed an object last, when, and why. */
export function Changed({ object: { apiVersion = '', kind = '', metadata } }: { readonly object: KubeObject }) {
  const resource = resourceOf(apiVersion, kind);
  const note = (name: string): string | undefined => metadata.annotations?.[ownKey(name)];
  const [author, at] = [note('updatedBy') ?? note('createdBy'), note('updatedTimestamp') ?? metadata.creationTimestamp];
  const message = note('message') ?? '';
  const word = metadata.generation === 1 ? 'created' : 'changed';
  return (
    <>
      {word}{' '}
      {author !== undefined && resource !== undefined && (
        <>
          by <Author by={author} in={{ ...metadata, resource }} />{' '}
        </>
      )}
      <Time at={at} />
      {message !== '' && (
        <>
          : <q dir="auto">{message.slice(0, 300)}</q>
        </>
      )}
    </>
  );
}
