import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { Link } from 'wouter-preact';
import { member } from '../../../../dashboards/model.js';
import { UNITS, type Unit } from '../../../../system/time/units.js';
import { places } from '../../app/places.js';
import { LongText } from '../../ui/long-text.js';
import { addressOf } from '../folders/search/query.js';
import type { TabProps } from '../object/props.js';
import { PanelList } from './panel-list.js';
import { listOf, type Panel, sectionsOf, sourceOf, textOf } from './panels.js';
import './style.css';

/** A dashboard for reading: what it is for, its panels with their queries, its variables and its tags. */
export function DashboardSummary({ object }: TabProps) {
  const { spec, metadata } = object;
  const sections = useMemo(() => sectionsOf(spec), [spec]);
  const panels = sections.flatMap((section) => section.panels);
  return (
    <div class="object-overview">
      <div class="stack">
        <About spec={spec} panels={panels} />
        <Variables spec={spec} />
      </div>
      <section class="card stack tight" aria-label="Panels">
        <h2>
          Panels <span class="muted board-count">{panels.length.toLocaleString()}</span>
        </h2>
        <PanelList sections={sections} namespace={metadata.namespace ?? ''} />
      </section>
    </div>
  );
}

function About({ spec, panels }: { readonly spec: unknown; readonly panels: readonly Panel[] }) {
  const description = textOf(spec, 'description');
  const tags = listOf(member(spec, 'tags')).filter((tag) => typeof tag === 'string');
  const time = member(spec, 'time');
  const [from, to, refresh] = [textOf(time, 'from'), textOf(time, 'to'), textOf(spec, 'refresh')];
  const sources = [...new Set(panels.map(({ source }) => source).filter((source) => source !== ''))];
  return (
    <section class="card stack tight" aria-label="About">
      <h2>About</h2>
      {description === '' ? (
        <p class="muted">It has no description.</p>
      ) : (
        <p dir="auto">
          <LongText text={description} />
        </p>
      )}
      {tags.length > 0 && (
        <ul class="row board-tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag}>
              <Link class="chip" dir="auto" href={addressOf(places.folders(), { tags: [tag] })}>
                {tag.slice(0, 100)}
              </Link>
            </li>
          ))}
        </ul>
      )}
      <dl class="facts">
        <Fact name="Shows">{from !== '' && spanOf(from, to)}</Fact>
        <Fact name="Refreshes">{refresh !== '' && `every ${refresh}`}</Fact>
        <Fact name="Time zone">{textOf(spec, 'timezone')}</Fact>
        <Fact name="Data from">{sources.slice(0, 20).join(', ')}</Fact>
      </dl>
    </section>
  );
}

/** `the last 6 hours` for `now-6h` to `now`. */
function spanOf(from: string, to: string): string {
  const [, count = '', unit = ''] = /^now-(\d+)([smhdwMy])$/.exec(from) ?? [];
  if (unit === '' || to !== 'now') return `${from} to ${to}`;
  const word = UNITS[unit as Unit];
  return `the last ${count === '1' ? word : `${count} ${word}s`}`;
}

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  if (children === '' || children === false) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  );
}

/** The most variables that are shown. */
const MOST_VARIABLES = 100;

function Variables({ spec }: { readonly spec: unknown }) {
  const variables = listOf(member(member(spec, 'templating'), 'list'));
  if (variables.length === 0) return null;
  return (
    <section class="card stack tight" aria-label="Variables">
      <h2>Variables</h2>
      <ul class="object-list">
        {variables.slice(0, MOST_VARIABLES).map((variable, index) => (
          <li key={index}>
            <strong class="mono">{textOf(variable, 'name').slice(0, 100)}</strong>{' '}
            <span class="muted" dir="auto">
              {[textOf(variable, 'label'), textOf(variable, 'type'), sourceOf(member(variable, 'datasource'))]
                .filter((word) => word !== '')
                .join(', ')
                .slice(0, 200)}
            </span>
            {queryOf(variable) !== '' && (
              <p class="board-query">
                <code class="mono">
                  <LongText text={queryOf(variable)} />
                </code>
              </p>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The query of a variable is a text, or an object that has it. */
function queryOf(variable: unknown): string {
  return textOf(variable, 'query') || textOf(member(variable, 'query'), 'query');
}
