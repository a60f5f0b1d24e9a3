import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useLater } from '../lib/later.js';
import { Failure, Skeleton } from '../ui/states.js';
import { report } from '../ui/toasts.js';

/** A dialog that is loaded when it is first opened. Until then, nothing is shown. */
export function lazyDialog<Props extends { readonly onClose: () => void }>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  return (props) => {
    const { value: Loaded, error } = useLater(load).state.value;
    useEffect(() => {
      if (error === undefined) return;
      report(error);
      props.onClose();
    }, [error]);
    return Loaded === undefined ? null : <Loaded {...props} />;
  };
}

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
