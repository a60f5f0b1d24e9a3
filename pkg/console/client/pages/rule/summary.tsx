import type { ComponentChildren } from 'preact';
import { member } from '../../../../dashboards/model.js';
import { LongText } from '../../ui/long-text.js';
import { listOf, queryOf, textOf } from '../dashboard/panels.js';
import { QueryLine } from '../dashboard/query-line.js';
import type { TabProps } from '../object/props.js';
import '../dashboard/style.css';

/** The data source of expressions over other queries. */
const EXPRESSION = '__expr__';

/** An alert rule for reading: when it fires, what its queries are, and what people get to know. */
export function RuleSummary({ object: { spec } }: TabProps) {
  const condition = textOf(spec, 'condition');
  return (
    <div class="object-overview">
      <div class="stack">
        <About spec={spec} condition={condition} />
        <Texts title="Labels" texts={member(spec, 'labels')} />
        <Texts title="Annotations" texts={member(spec, 'annotations')} />
      </div>
      <section class="card stack tight" aria-label="Queries">
        <h2>Queries</h2>
        <ul class="board-panels">
          {listOf(member(spec, 'data')).map((one, index) => (
            <li key={index} class="board-panel">
              <RuleQuery query={one} isCondition={condition !== '' && textOf(one, 'refId') === condition} />
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

function About({ spec, condition }: { readonly spec: unknown; readonly condition: string }) {
  const [lasts, keeps] = [textOf(spec, 'for'), textOf(spec, 'keepFiringFor')];
  const interval = Number(member(spec, 'interval') ?? 60);
  return (
    <section class="card stack tight" aria-label="About">
      <h2>About</h2>
      {member(spec, 'isPaused') === true && (
        <p>
          <span class="chip warn">Paused</span> It is not evaluated.
        </p>
      )}
      <p>
        {condition === '' ? (
          'It writes a metric, and never fires.'
        ) : (
          <>
            It fires when <strong>{condition}</strong> holds{/^0s?$|^$/.test(lasts) ? '' : ` for ${lasts}`}
            {keeps !== '' && `, and for ${keeps} after that`}.
          </>
        )}
      </p>
      <dl class="facts">
        <Fact name="Group">{textOf(spec, 'ruleGroup')}</Fact>
        <Fact name="Evaluated">every {interval} seconds</Fact>
        <Fact name="Without data">{stateWords(textOf(spec, 'noDataState'))}</Fact>
        <Fact name="If a query fails">{stateWords(textOf(spec, 'execErrState'))}</Fact>
      </dl>
    </section>
  );
}

/** What becomes of a rule that cannot be decided, for people. */
const STATES: Readonly<Record<string, string>> = {
  NoData: 'it says that there is no data',
  Error: 'it says that there is an error',
  Alerting: 'it fires',
  OK: 'it does not fire',
  Ok: 'it does not fire',
  KeepLast: 'it stays as it was',
};
const stateWords = (state: string): string => STATES[state] ?? state;

function Fact({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  return (
    <>
      <dt>{name}</dt>
      <dd dir="auto">{children}</dd>
    </>
  );
}

function RuleQuery({ query, isCondition }: { readonly query: unknown; readonly isCondition: boolean }) {
  const source = textOf(query, 'datasourceUid');
  const model = member(query, 'model');
  const type = textOf(model, 'type');
  const shown = queryOf({ ...(typeof model === 'object' ? model : {}), refId: '' });
  return (
    <>
      <p class="board-panel-head">
        <strong>{textOf(query, 'refId').slice(0, 100)}</strong>
        {isCondition && <span class="chip ok">Condition</span>}
        <span class="muted">
          {source === EXPRESSION ? `expression${type && `: ${type.slice(0, 50)}`}` : source.slice(0, 200)}
        </span>
      </p>
      <QueryLine query={shown} />
    </>
  );
}

function Texts({ title, texts }: { readonly title: string; readonly texts: unknown }) {
  const all = Object.entries(typeof texts === 'object' && texts !== null ? texts : {});
  if (all.length === 0) return null;
  return (
    <section class="card stack tight" aria-label={title}>
      <h2>{title}</h2>
      <dl class="facts">
        {all.map(([name, text]) => (
          <Fact key={name} name={name.slice(0, 100)}>
            <LongText text={String(text)} />
          </Fact>
        ))}
      </dl>
    </section>
  );
}
