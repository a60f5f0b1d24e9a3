import type { ComponentType } from 'preact';
import { useState } from 'preact/hooks';
import { useLater } from '../lib/later.js';
import { Failure, Skeleton } from '../ui/states.js';

/** A component that is loaded when it is first shown, so that the first view of the console stays small. */
export function lazy<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return (props) => {
    const [loaded] = useState(() => known);
    const { state, reload } = useLater(async () => {
      known ??= await load();
      return known;
    });
    const Component = state.value.value ?? loaded;
    if (Component !== undefined) return <Component {...props} />;
    return (
      <div class="page">
        {state.value.phase === 'failed' ? (
          <Failure error={state.value.error} onRetry={reload} />
        ) : (
          <Skeleton rows={8} />
        )}
      </div>
    );
  };
}
