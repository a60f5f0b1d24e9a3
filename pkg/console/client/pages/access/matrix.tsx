import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { listed, type Resource } from '../../lib/discovery.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { shownExtent } from './extent-words.js';
import { titleOf } from './kind-field.js';
import { type Summary, VERBS } from './questions.js';

/** What somebody may do with the objects of each kind. */
export function Matrix({ summary }: { readonly summary: Summary }) {
  return (
    <>
      <ul class="access-legend muted" aria-label="What the marks mean">
        <li>
          <span class="access-all">✓</span> with all objects
        </li>
        <li>
          <span class="access-some">◐</span> with all but so many, such as private ones, or with so many of all
        </li>
        <li>
          <span class="access-none">–</span> with none
        </li>
        <li>create counts the folders in which it is allowed</li>
      </ul>
      <p>
        <Link href={places.people('roles')}>What do the roles allow?</Link>
      </p>
      <ScrollBox label="Rights by kind">
        <table class="table access-matrix">
          <caption class="sr-only">Rights by kind and verb</caption>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              {VERBS.map((verb) => (
                <th key={verb} scope="col">
                  {verb}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {listed.value
              .filter((resource) => kindIn(summary, resource) !== undefined)
              .map((resource) => (
                <Row key={`${resource.group}/${resource.resource}`} summary={summary} resource={resource} />
              ))}
          </tbody>
        </table>
      </ScrollBox>
    </>
  );
}

/** Administrators of an organization learn nothing of others outside of it. */
function kindIn({ kinds }: Summary, { group, resource }: Resource): Summary['kinds'][number] | undefined {
  return kinds.find((one) => one.group === group && one.resource === resource);
}

function Row({ summary, resource }: { readonly summary: Summary; readonly resource: Resource }) {
  const { verbs = [] } = kindIn(summary, resource) ?? {};
  return (
    <tr>
      <th scope="row" title={`${resource.resource}.${resource.group}`}>
        {titleOf(resource)}
      </th>
      {VERBS.map((verb) => {
        const found = verbs.find((one) => one.verb === verb);
        const { extent, mark, short, words } = found === undefined ? NOTHING : shownExtent(found);
        return (
          <td key={verb} class={`access-${extent}`} title={`${verb}: ${words}`}>
            <span aria-hidden="true">
              {mark}
              {short !== '' && <small class="access-count"> {short}</small>}
            </span>
            <span class="sr-only">{words}</span>
          </td>
        );
      })}
    </tr>
  );
}

const NOTHING = { extent: 'none', mark: '', short: '', words: 'does not exist' } as const;
