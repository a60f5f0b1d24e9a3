import { useEffect } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { namespace as shown } from '../../lib/session.js';
import { askTitle, knownTitle } from './model/titles.js';

interface Props {
  readonly namespace: string;
  /** The uid of the folder. */
  readonly name: string;
  /** -1 in a grid, whose keys are its own. */
  readonly tabIndex?: number;
}

/** The title of a folder, as a link to it. The uid stands for a folder that the caller may not view. */
export function FolderTitle({ namespace, name, tabIndex = 0 }: Props) {
  useEffect(() => askTitle('folder', namespace, name), [namespace, name]);
  const title = knownTitle('folder', namespace, name);
  if (title === undefined) return <span class="muted">{name}</span>;
  // The page of folders shows those of the chosen organization.
  if (namespace !== shown.value) return <bdi title={name}>{title}</bdi>;
  return (
    <Link href={places.folders(name)} tabIndex={tabIndex} title={name}>
      <bdi>{title.slice(0, 300)}</bdi>
    </Link>
  );
}
