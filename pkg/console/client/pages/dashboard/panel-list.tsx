import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { places } from '../../app/places.js';
import { ownResource } from '../../lib/discovery.js';
import { LongText } from '../../ui/long-text.js';
import type { Panel, Section } from './panels.js';
import { QueryLine } from './query-line.js';

/** Panels of a section that are drawn at first, and that each press of the button adds. */
const AT_ONCE = 60;

/** The panels of a dashboard with their queries, by rows. */
export function PanelList({
  sections,
  namespace,
}: {
  readonly sections: readonly Section[];
  readonly namespace: string;
}) {
  if (sections.length === 0) return <p class="muted">The dashboard has no panel yet.</p>;
  return (
    <>
      {sections.map((section, index) => (
        <Row key={`${index} ${section.title}`} section={section} namespace={namespace} />
      ))}
    </>
  );
}

function Row({ section, namespace }: { readonly section: Section; readonly namespace: string }) {
  const { title, panels, isClosed } = section;
  if (title === '') return <Panels panels={panels} namespace={namespace} />;
  return (
    <details class="board-row" open={!isClosed}>
      <summary>
        <h3 dir="auto">{title.slice(0, 200)}</h3>{' '}
        <span class="muted">{panels.length === 1 ? '1 panel' : `${panels.length} panels`}</span>
      </summary>
      <Panels panels={panels} namespace={namespace} />
    </details>
  );
}

function Panels({ panels, namespace }: { readonly panels: readonly Panel[]; readonly namespace: string }) {
  const [most, setMost] = useState(AT_ONCE);
  return (
    <>
      <ul class="board-panels">
        {panels.slice(0, most).map((panel, index) => (
          <li key={index} class="board-panel">
            <PanelLine panel={panel} namespace={namespace} />
          </li>
        ))}
      </ul>
      {panels.length > most && (
        <button type="button" class="button" onClick={() => setMost(most + AT_ONCE)}>
          Show more of the other {(panels.length - most).toLocaleString()}
        </button>
      )}
    </>
  );
}

export function PanelLine({ panel, namespace }: { readonly panel: Panel; readonly namespace: string }) {
  const { title, type, source, description, queries, element } = panel;
  return (
    <>
      <p class="board-panel-head">
        <strong dir="auto" class={title === '' ? 'muted' : ''}>
          {title.slice(0, 300) || 'Without a title'}
        </strong>
        {type !== '' && <span class="chip">{type}</span>}
        {element !== undefined && <ElementLink {...element} namespace={namespace} />}
        {source !== '' && <span class="muted">{source.slice(0, 200)}</span>}
      </p>
      {description !== '' && (
        <p class="muted" dir="auto">
          <LongText text={description} />
        </p>
      )}
      {queries.map((query, index) => (
        <QueryLine key={index} query={query} />
      ))}
    </>
  );
}

function ElementLink({
  uid,
  name,
  namespace,
}: {
  readonly uid: string;
  readonly name: string;
  readonly namespace: string;
}) {
  const elements = ownResource('dashboard', 'libraryelements');
  const words = `library panel ${name.slice(0, 100)}`;
  if (elements === undefined) return <span class="chip">{words}</span>;
  return (
    <Link class="chip" href={places.object(elements, namespace, uid)}>
      {words}
    </Link>
  );
}
