import type { ComponentChildren } from 'preact';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { listed, type Resource } from '../../lib/discovery.js';
import { useMayAsk } from '../../lib/use-may-ask.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { shownExtent } from './extent-words.js';
import { titleOf, wordFor } from './kind-field.js';
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
  const mayAsk = useMayAsk() === true;
  return (
    <tr>
      <th scope="row" title={`${resource.resource}.${resource.group}`}>
        <Link href={places.kind(resource)}>{titleOf(resource)}</Link>
      </th>
      {VERBS.map((verb) => {
        const found = verbs.find((one) => one.verb === verb);
        const { extent, mark, short, words } = found === undefined ? NOTHING : shownExtent(found);
        return (
          <td key={verb} class={`access-${extent}`} title={`${verb}: ${words}`}>
            <Linked href={extent === 'none' || !mayAsk ? undefined : places.whoMay(wordFor(resource), verb)}>
              <span aria-hidden="true">
                {mark}
                {short !== '' && <small class="access-count"> {short}</small>}
              </span>
              <span class="sr-only">{verb}: </span>
              <span class="sr-only">{words}</span>
            </Linked>
          </td>
        );
      })}
    </tr>
  );
}

/** A cell leads to the question who may do this. */
function Linked({ href, children }: { readonly href: string | undefined; readonly children: ComponentChildren }) {
  return href === undefined ? <span>{children}</span> : <Link href={href}>{children}</Link>;
}

const NOTHING = { extent: 'none', mark: '', short: '', words: 'does not exist' } as const;
