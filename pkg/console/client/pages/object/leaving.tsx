import type { KubeObject } from '../../lib/object.js';
import { Notice } from '../../ui/states.js';
import { Time } from '../../ui/time.js';

/** Says which finalizers the deletion waits for. */
export function Leaving({ object: { metadata } }: { readonly object: KubeObject<unknown> }) {
  return (
    <Notice look="warn">
      <p>
        This object has been terminating since <Time at={metadata.deletionTimestamp} />. It waits for its finalizers:{' '}
        <span class="mono">{(metadata.finalizers ?? []).join(', ') || 'none'}</span>. It goes when those who set them
        have removed them.
      </p>
    </Notice>
  );
}
