import { useEffect } from 'preact/hooks';
import { FolderTitle } from './folder-title.js';
import { askTitle, knownAbove, knownTitle } from './model/titles.js';

interface Props {
  readonly namespace: string;
  /** The uid of the folder. */
  readonly name: string;
  readonly tabIndex?: number;
}

/** The title of a folder after those of the folders above it. What is above is cut first where there is no room. */
export function FolderPathTitle(props: Props) {
  const { namespace, name } = props;
  const { titles, next } = knownAbove(namespace, name);
  useEffect(() => askTitle('folder', namespace, next), [namespace, next]);
  const path = titles.map((title) => title.slice(0, 60)).join(' / ');
  const own = knownTitle('folder', namespace, name);
  return (
    <span class="folder-path-title" {...(own !== undefined && { title: [...titles, own].join(' / ').slice(0, 500) })}>
      {path !== '' && (
        <span class="muted cut" dir="auto">
          <bdi>{path}</bdi>
        </span>
      )}
      {path !== '' && <span class="muted"> / </span>}
      <span class="cut own">
        <FolderTitle {...props} />
      </span>
    </span>
  );
}
