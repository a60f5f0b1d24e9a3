import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Link, useSearch } from 'wouter-preact';
import { places } from '../../app/places.js';
import { later } from '../../lib/later.js';
import { namespace } from '../../lib/session.js';
import { useUnsaved } from '../../lib/unsaved.js';
import { Button } from '../../ui/button.js';
import { confirm } from '../../ui/confirm.js';
import { Empty, Notice } from '../../ui/states.js';
import { accessWarning } from '../folders/actions/access-warnings.js';
import { Consequences } from '../folders/actions/consequences.js';
import { apply, type Outcome } from './apply.js';
import { type Draft, draft, edit, isKept, settled } from './draft.js';
import { PlanForm } from './plan-form.js';
import { Refusal } from './refusal.js';
import { ShownPlan } from './shown-plan.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

/** A plan, with the draft that was planned. A changed draft needs a new plan. */
interface Result {
  readonly outcome?: Outcome;
  readonly error?: unknown;
  readonly of: Draft;
  readonly in: string;
}

/** Plans manifests by a dry run, and applies them in one commit. */
export function PlanPage() {
  const search = useSearch();
  const result = useSignal<Result | undefined>(undefined);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (result.value !== undefined) place.current?.scrollIntoView({ block: 'nearest' });
  }, [result.value]);
  useEffect(() => {
    const set = new URLSearchParams(search).get('set');
    if (set !== null && set !== '') edit({ set });
  }, [search]);
  useUnsaved(() => settled().text !== '' && !isKept.peek());
  const run = async (isDryRun: boolean): Promise<void> => {
    const [of, where] = [settled(), namespace.peek()];
    try {
      const { manifestsIn } = await later(() => import('./manifests.js'));
      const { manifests, problem } = manifestsIn(of.text);
      if (problem !== undefined) throw new Error(problem);
      const outcome = await apply({ ...of, manifests, namespace: where, isDryRun });
      result.value = { outcome, of, in: where };
    } catch (error) {
      result.value = { error, of, in: where };
    }
  };
  return (
    <div class="page plan">
      <div class="stack tight">
        <Heading>Plan</Heading>
        <p class="muted">Paste manifests, see what they would change, and apply all of them in one commit, or none.</p>
      </div>
      <div class="plan-columns">
        <PlanForm onPlan={() => run(true)} />
        <div ref={place} class="stack plan-result" aria-live="polite">
          {result.value === undefined ? (
            <Empty title="There is no plan yet">
              <p>
                Name a set, paste manifests, and press “Plan”. What would be created, changed and deleted is shown here.
              </p>
            </Empty>
          ) : (
            <Shown result={result.value} onApply={() => run(false)} />
          )}
        </div>
      </div>
    </div>
  );
}

function Shown({ result, onApply }: { readonly result: Result; readonly onApply: () => Promise<void> }) {
  const { outcome, error, of, in: where } = result;
  const isOld = of !== draft.value || where !== namespace.value;
  const isApplied = outcome?.resourceVersion !== undefined;
  return (
    <>
      {isOld && !isApplied && (
        <Notice>This is the plan of an earlier text. Plan again to apply what is there now.</Notice>
      )}
      {error !== undefined && <Refusal error={error} isForced={of.force} />}
      {isApplied && (
        <Notice look="ok">
          <span class="grow">Applied in one commit, revision {outcome.resourceVersion}.</span>
          <Link class="button" href={places.sets(of.set)}>
            Open the set
          </Link>
        </Notice>
      )}
      {outcome !== undefined && <AccessOf outcome={outcome} isApplied={isApplied} namespace={where} />}
      {outcome !== undefined && (
        <ShownPlan key={JSON.stringify(outcome).length} plan={outcome.plan} isApplied={isApplied} />
      )}
      {outcome !== undefined && !isApplied && (
        <div class="row">
          <Button
            look="primary"
            unavailable={whyNotApply(outcome, isOld)}
            onPress={async () => {
              if (await mayDelete(outcome)) await onApply();
            }}
          >
            Apply
          </Button>
        </div>
      )}
    </>
  );
}

interface AccessProps {
  readonly outcome: Outcome;
  readonly isApplied: boolean;
  readonly namespace: string;
}

/** Whose access the plan changes. Empty if nobody's. */
function AccessOf({ outcome, isApplied, namespace: place }: AccessProps) {
  const warnings = outcome.warnings.filter((text) => accessWarning(text) !== undefined);
  if (warnings.length === 0) return null;
  const title = isApplied ? 'Whose access has changed' : 'Whose access would change';
  return (
    <section class="stack tight" aria-label={title}>
      <h2>{title}</h2>
      <Consequences warnings={warnings} where={{ namespace: place, titles: outcome.titles }} />
    </section>
  );
}

/** The most objects that the question names. */
const MOST_NAMED = 8;

/** Asks before an apply that deletes something. Folders go with all that lies in them. */
async function mayDelete({ plan }: Outcome): Promise<boolean> {
  const gone = plan.filter(({ action }) => action === 'pruned');
  if (gone.length === 0) return true;
  const count = gone.length === 1 ? '1 object' : `${gone.length.toLocaleString()} objects`;
  const names = gone.slice(0, MOST_NAMED).map(({ kind, name }) => `${kind} ${name}`);
  const more = gone.length > MOST_NAMED ? ` and ${gone.length - MOST_NAMED} more` : '';
  const text = `The apply deletes ${names.join(', ')}${more}, with all that lies in them, because the text leaves them out.`;
  return confirm({ title: `Delete ${count}?`, text, action: 'Apply and delete', isDangerous: true });
}

function whyNotApply({ plan }: Outcome, isOld: boolean): string | undefined {
  if (isOld) return 'The text has changed since this plan. Plan again.';
  const hasConflicts = plan.some(({ action }) => action === 'conflict');
  return hasConflicts ? 'There are conflicts. Change the text, or plan again with Force.' : undefined;
}
