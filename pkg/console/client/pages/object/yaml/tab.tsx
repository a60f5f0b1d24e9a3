import type { Resource } from '../../../lib/discovery.js';
import { useLater } from '../../../lib/later.js';
import { Failure, Skeleton } from '../../../ui/states.js';
import './style.css';

interface Props {
  readonly resource: Resource;
  readonly namespace: string;
  readonly name: string;
}

/** The object as text. The editor is loaded on demand. */
export function YamlTab(props: Props) {
  const { state, reload } = useLater(async () => (await import('./stored-object.js')).StoredObject);
  const { phase, value: StoredObject, error } = state.value;
  if (phase === 'failed') return <Failure error={error} onRetry={reload} />;
  if (StoredObject === undefined) return <Skeleton rows={14} label="Loading the editor" />;
  const { resource, namespace, name } = props;
  return <StoredObject key={JSON.stringify([resource.group, resource.resource, namespace, name])} {...props} />;
}
