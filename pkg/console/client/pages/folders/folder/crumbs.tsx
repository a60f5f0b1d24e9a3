import { Link } from 'wouter-preact';
import { places } from '../../../app/places.js';
import { ROOT } from '../model/kinds.js';

/** A folder above. One that the caller may not view has no name. */
export interface Crumb {
  readonly name: string | undefined;
  readonly title: string;
}

/** The way from the root to the folder. */
export function Crumbs({ above }: { readonly above: readonly Crumb[] }) {
  return (
    <nav aria-label="Folders above" class="crumbs">
      <ol>
        <li>
          <Link href={places.folders(ROOT)}>All folders</Link>
        </li>
        {above.map(({ name, title }) => (
          <li key={name ?? title}>
            {name === undefined ? (
              <span class="muted" title="You may not view this folder.">
                …
              </span>
            ) : (
              <Link href={places.folders(name)} class="cut" dir="auto" title={title.slice(0, 300)}>
                {title}
              </Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
