import { useSignal } from '@preact/signals';
import { ApiError, get } from '../../lib/api.js';
import { useRepeated } from '../../lib/repeat.js';
import { TextField } from '../../ui/field.js';
import { ScrollBox } from '../../ui/scroll-box.js';
import { Failure, Skeleton } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { EventWords, type Happened, verbOf } from './event-words.js';
import { ANONYMOUS } from './session-words.js';

/** The members of an event of the audit log (audit.k8s.io/v1) that are shown. */
interface AuditEvent extends Happened {
  readonly auditID: string;
  readonly stage?: string;
  readonly impersonatedUser?: { readonly username?: string };
  readonly stageTimestamp?: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

const EVERY = 3_000;
const SHOWN = 200;

/** The newest events of the audit log, live. With several servers, each answers with its own. */
export function AuditLog() {
  const events = useSignal<readonly AuditEvent[] | undefined>(undefined);
  const [problem, filter] = [useSignal<unknown>(undefined), useSignal('')];
  useRepeated(EVERY, async (signal) => {
    try {
      const found = await get<{ events: readonly AuditEvent[] }>('/api/admin/audit', { limit: SHOWN }, signal);
      [events.value, problem.value] = [found.events.toReversed(), undefined];
    } catch (error) {
      if (!signal.aborted) problem.value = error;
      return !(error instanceof ApiError && error.code < 500);
    }
    return true;
  });
  if (problem.value !== undefined && events.value === undefined) return <Failure error={problem.value} />;
  if (events.value === undefined) return <Skeleton label="Loading the audit log" />;
  const wanted = filter.value.trim().toLowerCase();
  const shown = events.value.filter((one) => wanted === '' || textOf(one).includes(wanted));
  return (
    <div class="stack tight audit">
      <div class="audit-filter">
        <TextField
          label="Filter by user, verb, path or code"
          type="search"
          value={filter.value}
          onValue={(text) => (filter.value = text)}
        />
      </div>
      <ScrollBox label="Events of the audit log">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">When</th>
              <th scope="col">Who</th>
              <th scope="col">What</th>
              <th scope="col">Code</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((one) => (
              <Row key={`${one.auditID} ${one.stage}`} event={one} />
            ))}
          </tbody>
        </table>
        {shown.length === 0 && <p class="audit-none muted">No event of the newest {SHOWN} fits.</p>}
      </ScrollBox>
    </div>
  );
}

function Row({ event }: { readonly event: AuditEvent }) {
  const { user, impersonatedUser, responseStatus, stageTimestamp } = event;
  const code = responseStatus?.code;
  const reason = reasonOf(event);
  return (
    <tr>
      <td class="audit-when">
        <Time at={stageTimestamp} />
      </td>
      <td class="audit-who">
        {user?.username === ANONYMOUS ? <span title={ANONYMOUS}>not signed in</span> : user?.username}
        {impersonatedUser?.username !== undefined && ` as ${impersonatedUser.username}`}
      </td>
      <td>
        <EventWords event={event} />
        {reason !== undefined && <div class="muted">{reason}</div>}
      </td>
      <td>
        <span class={`chip ${code === undefined || code < 400 ? 'ok' : code < 500 ? 'warn' : 'danger'}`}>
          {code ?? '…'}
        </span>
      </td>
    </tr>
  );
}

/** Why the server did something by itself. */
function reasonOf({ annotations = {} }: AuditEvent): string | undefined {
  return Object.entries(annotations).find(([key]) => /^audit\.[^/]*\/reason$/.test(key))?.[1];
}

function textOf(event: AuditEvent): string {
  const { user, verb, requestURI, responseStatus } = event;
  const words = [user?.username, verb, verbOf(event), requestURI, responseStatus?.code, reasonOf(event) ?? ''];
  return words.join(' ').toLowerCase();
}
