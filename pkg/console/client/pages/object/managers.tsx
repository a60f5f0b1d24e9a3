import { useMemo, useState } from 'preact/hooks';
import type { ManagedFieldsEntry } from '../../../../kube/meta/types.js';
import type { KubeObject } from '../../lib/object.js';
import { Empty } from '../../ui/states.js';
import { Time } from '../../ui/time.js';
import { BROWSER } from '../sets/conflict-words.js';
import { fieldsOf } from './fields.js';

/** Fields that are shown at first. */
const FEW = 30;

/** The managers of the object, with their fields and the time of their last write. */
export function ManagersTab({ object }: { readonly object: KubeObject }) {
  const all = [...(object.metadata.managedFields ?? [])].sort((a, b) => (b.time ?? '').localeCompare(a.time ?? ''));
  if (all.length === 0) return <Empty title="Nobody manages a field of this object" />;
  return (
    <div class="stack">
      <p class="muted">
        A manager owns the fields that it has set. Whoever applies another value to a field of another manager gets a
        conflict.
      </p>
      {all.map((one) => (
        <Manager key={`${one.manager}/${one.operation}/${one.subresource}/${one.apiVersion}`} one={one} />
      ))}
    </div>
  );
}

function Manager({ one }: { readonly one: ManagedFieldsEntry }) {
  const [isWhole, setWhole] = useState(false);
  const fields = useMemo(() => fieldsOf(one.fieldsV1), [one]);
  return (
    <section class="card stack tight">
      <div class="row">
        <h2 dir="auto">{one.manager === BROWSER ? 'People in the console' : one.manager}</h2>
        <span class="chip">{one.operation === 'Apply' ? 'applies' : 'updates'}</span>
        {one.subresource !== undefined && <span class="chip">{one.subresource}</span>}
        <span class="muted">
          <Time at={one.time} /> · {one.apiVersion} · {fields.length.toLocaleString()}{' '}
          {fields.length === 1 ? 'field' : 'fields'}
        </span>
      </div>
      <ul class="object-fields mono">
        {(isWhole ? fields : fields.slice(0, FEW)).map((field) => (
          <li key={field}>{field}</li>
        ))}
      </ul>
      {fields.length > FEW && (
        <div>
          <button type="button" class="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show fewer' : `Show all ${fields.length.toLocaleString()}`}
          </button>
        </div>
      )}
    </section>
  );
}
