import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { ObjectTitle } from '../sets/object-title.js';
import { kindNamed, type Mirror, type Problem } from './mirrors.js';

/** An object of the namespace of a mirror, by its title, as a link to it. */
export function ObjectOfMirror({ mirror, kind, name }: Pick<Problem, 'kind' | 'name'> & { readonly mirror: Mirror }) {
  const resource = kindNamed(kind);
  const { namespace = '' } = mirror.metadata;
  return (
    <span class="row">
      <span class="chip">{kind}</span>
      <ObjectTitle resource={resource} namespace={namespace} name={name}>
        {(text) =>
          resource === undefined ? (
            <code>{text}</code>
          ) : (
            <Link href={places.object(resource, resource.isNamespaced ? namespace : undefined, name)} dir="auto">
              {text}
            </Link>
          )
        }
      </ObjectTitle>
    </span>
  );
}
