import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Resource } from '../../lib/discovery.js';
import { askTitleOf, knownTitleOf } from '../../lib/table-titles.js';
import { isInFolders } from '../folders/model/kinds.js';
import { askTitle, knownTitle, type Titled } from '../folders/model/titles.js';

/** The kinds whose titles the search knows. The table of a kind has those of the others. */
const TYPES: Readonly<Record<string, Titled>> = { folders: 'folder', dashboards: 'dashboard' };

interface Props {
  readonly resource: Resource | undefined;
  readonly namespace: string;
  readonly name: string;
  /** The title that it is to have, if that is known. */
  readonly title?: string | undefined;
  /** Shows the title, or the name if there is none, such as a link. */
  readonly children: (text: string) => ComponentChildren;
}

/** The title of an object with its name behind it, as far as the title is known. */
export function ObjectTitle({ resource, namespace, name, title, children }: Props) {
  const type = resource !== undefined && isInFolders(resource) ? TYPES[resource.resource] : undefined;
  useEffect(() => {
    if (title !== undefined || resource === undefined) return;
    if (type !== undefined) askTitle(type, namespace, name);
    else if (resource.verbs.includes('list')) askTitleOf(resource, namespace, name);
  }, [type, resource, namespace, name, title]);
  const known = (): string | undefined => {
    if (resource === undefined) return undefined;
    return type === undefined ? knownTitleOf(resource, namespace, name) : knownTitle(type, namespace, name);
  };
  const shown = title ?? known() ?? name;
  return (
    <>
      {children(shown)}
      {shown !== name && <span class="muted mono"> {name}</span>}
    </>
  );
}
