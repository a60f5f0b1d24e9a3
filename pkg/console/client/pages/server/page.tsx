import { useSearchParams } from 'wouter-preact';
import { Failure, Skeleton } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { AuditLog } from './audit.js';
import { Health } from './health.js';
import { Plot } from './plot.js';
import { type Moment, useRecording } from './recorder.js';
import { StoredObjects } from './stored.js';
import './style.css';
import { Heading } from '../../ui/heading.js';

const TABS = [
  ['now', 'Now'],
  ['stored', 'What is stored'],
  ['audit', 'Audit log'],
] as const;

/** The state of the server, for its operator. With several servers, it is that of the one that answers. */
export function ServerPage() {
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') ?? 'now';
  const { moments, samples, error } = useRecording();
  const isEmpty = error !== undefined && moments.length === 0;
  return (
    <div class="page">
      <div class="page-head">
        <Heading>Server</Heading>
      </div>
      <Tabs
        label="Parts of this page"
        tabs={TABS}
        value={tab}
        onValue={(id) => setParams(id === 'now' ? {} : { tab: id })}
      />
      {error !== undefined && tab !== 'audit' && <Failure error={error} />}
      {tab === 'now' && <Now moments={moments} hasPlots={!isEmpty} />}
      {tab === 'stored' && !isEmpty && (samples.length === 0 ? <Skeleton /> : <StoredObjects samples={samples} />)}
      {tab === 'audit' && <AuditLog />}
    </div>
  );
}

/** Health and version are for everybody, and the plots for those who may read the metrics. */
function Now({ moments, hasPlots }: { readonly moments: readonly Moment[]; readonly hasPlots: boolean }) {
  return (
    <div class="stack">
      <Health />
      {hasPlots && <Plots moments={moments} />}
    </div>
  );
}

function Plots({ moments }: { readonly moments: readonly Moment[] }) {
  const times = moments.map(({ at }) => at);
  return (
    <>
      <div class="plots">
        <Plot title="Requests" unit="a second" times={times} values={moments.map(({ requests }) => requests)} />
        <Plot title="Longest stall" unit="ms" times={times} values={moments.map(({ stall }) => stall)} />
        <Plot title="Memory" unit="MiB" times={times} values={moments.map(({ memory }) => memory)} />
        <Plot title="Processor" unit="%" times={times} values={moments.map(({ processor }) => processor)} />
      </div>
      <p class="hint">A look every five seconds, since this page was opened.</p>
    </>
  );
}
