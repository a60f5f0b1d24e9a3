import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Resource } from '../../lib/discovery.js';
import { namespace, organizationTitle } from '../../lib/session.js';
import { SelectField, TextField } from '../../ui/field.js';
import type { View } from './view.js';

/** Milliseconds without a key before the server is asked for other labels. */
const PAUSE = 400;

interface Props {
  readonly resource: Resource;
  readonly view: View;
  /** The error of the server about the labels. */
  readonly problem: string | undefined;
}

/** The filters of the table of a kind. */
export function Filters({ resource, view, problem }: Props) {
  const labels = useSignal(view.labels);
  useEffect(() => {
    const timer = setTimeout(() => labels.value !== view.labels && view.set({ labels: labels.value.trim() }), PAUSE);
    return () => clearTimeout(timer);
  }, [labels.value]);
  return (
    <div class="kind-filters">
      <TextField
        label="Filter by text"
        type="search"
        placeholder="Any column"
        value={view.text}
        onValue={(text) => view.set({ text })}
      />
      <TextField
        label="Filter by labels"
        type="search"
        placeholder="team=ops, tier in (a, b), !old"
        value={labels.value}
        onValue={(text) => (labels.value = text)}
        error={problem}
      />
      {resource.isNamespaced && (
        <SelectField
          label="Objects of"
          value={view.isEverywhere ? 'all' : ''}
          onValue={(value) => view.set({ isEverywhere: value === 'all' })}
          options={[
            ['', `Organization ${organizationTitle(namespace.value)}`],
            ['all', 'All organizations'],
          ]}
        />
      )}
    </div>
  );
}
