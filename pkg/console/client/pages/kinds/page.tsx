import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';
import { places } from '../../app/places.js';
import { loadResources, type Resource, resources } from '../../lib/discovery.js';
import { namespace, organizationTitle } from '../../lib/session.js';
import { Combobox } from '../../ui/combobox.js';
import { Marked } from '../../ui/marked.js';
import { Empty } from '../../ui/states.js';
import { type Count, nameOf, useCounts } from './counts.js';
import { grouped, type KindGroup } from './groups.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

/** All kinds that the server has. */
export function KindsPage() {
  const search = useSignal('');
  const [, go] = useLocation();
  const box = useSearchKey();
  useNewKinds();
  const all = resources.value;
  const preferred = useMemo(() => all.filter(({ isPreferred }) => isPreferred), [all]);
  const counts = useCounts(preferred, namespace.value);
  const groups = grouped(all, search.value);
  const found = groups.reduce((sum, { kinds }) => sum + kinds.length, 0);
  return (
    <div class="page">
      <div class="page-head">
        <Heading>All kinds</Heading>
        <div class="kinds-search" ref={box}>
          <Combobox<Resource>
            label="Search kinds"
            isLabelHidden
            placeholder="Search kinds, short names and groups ( / )"
            about={String(all.length)}
            find={async (text) => ({ items: text.trim() === '' ? [] : listedIn(all, text) })}
            keyOf={nameOf}
            render={(one, text) => <Marked text={one.kind} words={text.trim().split(/\s+/)} />}
            onText={(text) => (search.value = text)}
            onChoose={(one) => go(places.kind(one))}
            none={search.value.trim() === '' ? '' : 'No kind is called so.'}
          />
        </div>
      </div>
      <p class="muted">
        Each is shown as the server's own table. The numbers are those of the organization{' '}
        {organizationTitle(namespace.value)}, and of the whole server for kinds outside of organizations.
      </p>
      <p class="sr-only" role="status">
        {search.value === '' ? '' : `${found} ${found === 1 ? 'kind' : 'kinds'} found`}
      </p>
      {groups.length === 0 && (
        <Empty title="No kind matches">
          <p>Search for another word, or define the kind by a CustomResourceDefinition.</p>
        </Empty>
      )}
      {groups.map((group) => (
        <Group key={group.title} group={group} counts={counts.value} />
      ))}
    </div>
  );
}

/** Definitions make and take away kinds while the console is open. Without an answer, those that were known stay. */
function useNewKinds(): void {
  useEffect(() => {
    const load = (): void => void loadResources().catch(() => undefined);
    load();
    addEventListener('focus', load);
    return () => removeEventListener('focus', load);
  }, []);
}

/** The kinds that match and have a table, in the order of the page. */
function listedIn(all: readonly Resource[], search: string): readonly Resource[] {
  return grouped(all, search).flatMap(({ kinds }) => kinds.filter(({ verbs }) => verbs.includes('list')));
}

/** The key `/` goes to the search, unless the person types in a field. */
function useSearchKey() {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element && event.target.matches('input, textarea, select, [contenteditable]');
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      box.current?.querySelector('input')?.focus();
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return box;
}

function Group({ group, counts }: { readonly group: KindGroup; readonly counts: ReadonlyMap<string, Count> }) {
  const { title, hint, kinds } = group;
  return (
    <section class="stack tight">
      <h2>{title}</h2>
      <p class="muted">{hint}</p>
      <div class="table-box">
        <table class="table kinds-table" aria-label={title}>
          <thead>
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">Names</th>
              <th scope="col">Group and version</th>
              <th scope="col">Scope</th>
              <th scope="col" class="number">
                Objects
              </th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((one) => (
              <Kind key={nameOf(one)} resource={one} count={counts.get(nameOf(one))} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Kind({ resource, count }: { readonly resource: Resource; readonly count: Count | undefined }) {
  const { kind, group, version, shortNames, isNamespaced, verbs } = resource;
  const isListed = verbs.includes('list');
  return (
    <tr>
      <th scope="row">{isListed ? <Link href={places.kind(resource)}>{kind}</Link> : kind}</th>
      <td class="mono">{[resource.resource, ...shortNames].join(', ')}</td>
      <td class="mono">{group === '' ? version : `${group}/${version}`}</td>
      <td>{isNamespaced ? 'Organization' : 'Server'}</td>
      <td class="number">{isListed && (count === undefined ? '…' : <span title={count.why}>{count.text}</span>)}</td>
    </tr>
  );
}
