import { Card } from '../../ui/card.js';
import { Time } from '../../ui/time.js';
import type { TabProps } from '../object/props.js';
import { type Condition, countOf, type Mirror, type Problem, sentence, statusOf } from './mirrors.js';
import { ObjectOfMirror } from './object.js';
import { MirrorState } from './state.js';
import { Taken } from './taken.js';
import './style.css';

/** A mirror in words: whether everything has arrived, what was refused, and what it takes. */
export function MirrorSummary({ object }: TabProps) {
  const { errors, failed, warnings, partial } = statusOf(object);
  return (
    <div class="stack">
      <div class="mirrors-columns">
        <State mirror={object} />
        <Card title="What it takes">
          <Taken mirror={object} />
        </Card>
      </div>
      <Problems mirror={object} title="Errors" problems={errors} total={failed} />
      <Problems mirror={object} title="Sent in part" problems={warnings} total={partial} />
    </div>
  );
}

/** The conditions, and what is there. */
function State({ mirror }: { readonly mirror: Mirror }) {
  const { conditions, objects, pending, kept } = statusOf(mirror);
  return (
    <Card title="State">
      <MirrorState mirror={mirror} />
      {conditions.length === 0 && <p>No server has looked at it yet.</p>}
      {conditions.map((condition) => (
        <Sentence key={condition.type} condition={condition} generation={mirror.metadata.generation} />
      ))}
      <dl class="facts">
        <dt>There</dt>
        <dd>{objects.length === 0 ? 'nothing' : objects.map(({ kind, count }) => countOf(kind, count)).join(', ')}</dd>
        {pending > 0 && (
          <>
            <dt>Not yet there</dt>
            <dd>{countOf('Object', pending)}</dd>
          </>
        )}
        {kept > 0 && (
          <>
            <dt>Left alone</dt>
            <dd>{countOf('Object', kept)} that the other server had before</dd>
          </>
        )}
      </dl>
    </Card>
  );
}

interface SentenceProps {
  readonly condition: Condition;
  /** The generation of the mirror. */
  readonly generation: number | undefined;
}

function Sentence({ condition: { message, lastTransitionTime, observedGeneration }, generation }: SentenceProps) {
  const isOld = observedGeneration !== undefined && generation !== undefined && observedGeneration < generation;
  return (
    <p dir="auto">
      {sentence(message)}{' '}
      <span class="muted">
        Since <Time at={lastTransitionTime} />.{isOld && ' The mirror was edited after that.'}
      </span>
    </p>
  );
}

interface ProblemsProps {
  readonly mirror: Mirror;
  readonly title: string;
  readonly problems: readonly Problem[];
  /** How many there are. */
  readonly total: number;
}

function Problems({ mirror, title, problems, total }: ProblemsProps) {
  if (problems.length === 0) return null;
  return (
    <section class="stack tight" aria-label={title}>
      <h2>{title}</h2>
      <div class="table-box">
        <table class="table stacked">
          <thead>
            <tr>
              <th scope="col">Object</th>
              <th scope="col">Why</th>
            </tr>
          </thead>
          <tbody>
            {problems.map(({ kind, name, reason }) => (
              <tr key={`${kind}/${name}`}>
                <td>
                  <ObjectOfMirror mirror={mirror} kind={kind} name={name} />
                </td>
                <td dir="auto">{sentence(reason)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {total > problems.length && (
        <p class="muted">
          These are the first {problems.length} of {total.toLocaleString()}.
        </p>
      )}
    </section>
  );
}
