import { useSearchParams } from 'wouter-preact';
import { Heading } from '../../ui/heading.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { Tabs } from '../../ui/tabs.js';
import { Activity } from './activity.js';
import { AuditLog } from './audit.js';
import { Health } from './health.js';
import { useSamples } from './recorder.js';
import { StoredObjects } from './stored.js';
import './style.css';

const TABS = [
  ['now', 'Now'],
  ['stored', 'What is stored'],
  ['audit', 'Audit log'],
] as const;

/** The state of the server, for its operator. With several servers, it is that of the one that answers. */
export function ServerPage() {
  const [params, setParams] = useSearchParams();
  const tab = params.get('tab') ?? 'now';
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
      {tab === 'now' && (
        <div class="stack">
          <Health />
          <Activity />
        </div>
      )}
      {tab === 'stored' && <Stored />}
      {tab === 'audit' && <AuditLog />}
    </div>
  );
}

function Stored() {
  const { value, error } = useSamples();
  if (value !== undefined) return <StoredObjects samples={value} />;
  return error === undefined ? <Skeleton /> : <Failure error={error} />;
}
